SELECT
  (
    SELECT
      concat (
        '{"customer":',
        CASE
          WHEN "t2"."id" IS NOT NULL THEN concat (
            '{"id":"cus_',
            "t2"."id",
            '","name":',
            json_quote("t2"."name"),
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
