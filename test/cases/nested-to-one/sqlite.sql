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
          ) FILTER (
            WHERE
              "t2"."number_" <= ?
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
              '0[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
                WHEN "t2"."size" > ? THEN ?
                ELSE "t2"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t4".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
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
              ?
          ) AS "t4"
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
  ) AS "r0"
