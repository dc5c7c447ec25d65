SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."id" IS NULL THEN ''
          ELSE concat('"ord_', "t1"."id", '"')
        END,
        ',"number":',
        coalesce(to_json(("t1"."number" COLLATE "C"))::text, ''),
        ',"status":',
        coalesce(to_json(("t1"."status" COLLATE "C"))::text, ''),
        ',"total":',
        coalesce(
          CASE
            WHEN abs("t1"."total") < 'Infinity' THEN '"' || round("t1"."total", 2) || '"'
          END,
          ''
        ),
        ',"note":',
        coalesce(to_json(("t1"."note" COLLATE "C"))::text, 'null'),
        ',"placedAt":',
        CASE
          WHEN "t1"."placed_at" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
              AND "t1"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                to_json("t1"."placed_at" AT TIME ZONE 'UTC')::text,
                '"'
              ) || 'Z"'
            END,
            ''
          )
        END,
        ',"customerId":',
        CASE
          WHEN "t1"."customer_id" IS NULL THEN ''
          ELSE concat('"cus_', "t1"."customer_id", '"')
        END,
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
