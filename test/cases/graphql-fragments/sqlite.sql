SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"ord_',
              "t2"."id",
              '","number":',
              json_quote("t2"."number"),
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
            ),
            ','
          ),
          ''
        ),
        ']}'
      )
    FROM
      (
        SELECT
          "t1"."id" AS "id",
          "t1"."number" AS "number",
          "t1"."customer_id" AS "customer_id"
        FROM
          "order" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
  ) AS "r0"
