SELECT
  concat (
    '{"nodes":[',
    (
      SELECT
        coalesce(string_agg ("t2"."item", ','), '')
      FROM
        (
          SELECT
            concat (
              '{"id":"ord_',
              "t1"."id",
              '","number":',
              json_quote("t1"."number"),
              ',"customer":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat (
                  '{"id":"cus_',
                  "t3"."id",
                  '","name":',
                  json_quote("t3"."name"),
                  ',"email":',
                  json_quote("t3"."email"),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ) AS "item"
          FROM
            "order" AS "t1"
            LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t1"."customer_id"
          ORDER BY
            "t1"."id"
          LIMIT
            + ?
        ) AS "t2"
    ),
    ']}'
  ) AS "r0"
