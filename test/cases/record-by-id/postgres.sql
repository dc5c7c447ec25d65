SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(('ord_' || "t1"."id")::text)::text,
          chr(3)
        ) || ',"number":' || coalesce(to_json("t1"."number"::text)::text, chr(3)) || ',"status":' || coalesce(
          CASE
            WHEN "t1"."status"::text COLLATE "C" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN to_json("t1"."status"::text)::text
          END,
          chr(3)
        ) || coalesce(
          ',"total":"' || CASE
            WHEN scale("t1"."total") IS NOT NULL THEN round("t1"."total", 2)
          END || '","note":',
          ',"total":' || chr(3) || ',"note":'
        ) || coalesce(to_json("t1"."note"::text)::text, 'null') || ',"placedAt":' || CASE
          WHEN "t1"."placed_at" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
              AND "t1"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                to_json("t1"."placed_at"::timestamptz AT TIME ZONE 'UTC')::text,
                '"'
              ) || 'Z"'
            END,
            chr(3)
          )
        END || ',"customerId":' || coalesce(
          to_json(('cus_' || "t1"."customer_id")::text)::text,
          chr(3)
        ) || '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
