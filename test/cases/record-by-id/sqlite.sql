SELECT
  (
    SELECT
      concat (
        '{"id":',
        coalesce(
          CASE typeof(('ord_' || "t1"."id"))
            WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
          END,
          char(3)
        ),
        ',"number":',
        coalesce(
          CASE typeof("t1"."number")
            WHEN 'text' THEN json_quote("t1"."number")
          END,
          char(3)
        ),
        ',"status":',
        coalesce(
          CASE
            WHEN "t1"."status" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN json_quote("t1"."status")
          END,
          char(3)
        ),
        coalesce(
          ',"total":"' || CASE typeof("t1"."total")
            WHEN 'integer' THEN CASE
              WHEN "t1"."total" < 0 THEN '-'
              ELSE ''
            END || abs("t1"."total" / 100) || '.' || substr(100 + abs("t1"."total" % 100), 2)
          END || '","note":',
          ',"total":' || char(3) || ',"note":'
        ),
        CASE
          WHEN "t1"."note" IS NULL THEN 'null'
          ELSE coalesce(
            CASE typeof("t1"."note")
              WHEN 'text' THEN json_quote("t1"."note")
            END,
            char(3)
          )
        END,
        ',"placedAt":',
        CASE
          WHEN "t1"."placed_at" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE
              WHEN "t1"."placed_at" GLOB '????-??-??T??:??:??.??????Z'
              AND unixepoch("t1"."placed_at") IS NOT NULL THEN rtrim(rtrim(substr("t1"."placed_at", 1, 26), '0'), '.') || 'Z'
            END || '"',
            char(3)
          )
        END,
        ',"customerId":',
        coalesce(
          CASE typeof(('cus_' || "t1"."customer_id"))
            WHEN 'text' THEN json_quote(('cus_' || "t1"."customer_id"))
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
