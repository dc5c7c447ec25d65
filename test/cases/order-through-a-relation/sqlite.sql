SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"ord_',
              "t3"."id",
              '","number":',
              json_quote("t3"."number"),
              ',"customer":',
              CASE
                WHEN "t4"."id" IS NOT NULL THEN concat (
                  '{"id":"cus_',
                  "t4"."id",
                  '","name":',
                  json_quote("t4"."name"),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number_" <= ?
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[',
              coalesce(json_quote("t3"."sort"), 'null'),
              ',',
              json_quote("t3"."number"),
              ',[',
              json_quote("t3"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = 1
              AND "t3"."number_" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[',
              coalesce(json_quote("t3"."sort"), 'null'),
              ',',
              json_quote("t3"."number"),
              ',[',
              json_quote("t3"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = CASE
                WHEN "t3"."size" > ? THEN ?
                ELSE "t3"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t5".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."number" AS "number",
              "t1"."customer_id" AS "customer_id",
              "t2"."name" AS "sort"
            FROM
              "order" AS "t1"
              LEFT JOIN "customer" AS "t2" ON "t2"."id" = "t1"."customer_id"
            ORDER BY
              "t2"."name" NULLS LAST,
              "t1"."number" DESC,
              "t1"."id"
            LIMIT
              ?
          ) AS "t5"
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
