SELECT
  (
    SELECT
      concat (
        '{"customer":',
        CASE
          WHEN "t2"."id" IS NOT NULL THEN concat (
            '{"id":',
            coalesce(
              CASE typeof(('cus_' || "t2"."id"))
                WHEN 'text' THEN json_quote(('cus_' || "t2"."id"))
              END,
              char(3)
            ),
            ',"name":',
            coalesce(
              CASE typeof("t2"."name")
                WHEN 'text' THEN json_quote("t2"."name")
              END,
              char(3)
            ),
            '}'
          )
          ELSE 'null'
        END,
        '}'
      )
    FROM
      "order" AS "t1"
      LEFT JOIN "customer" AS "t2" ON "t2"."id" = "t1"."customer_id"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
