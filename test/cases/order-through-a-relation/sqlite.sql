SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
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
          + ?
      )
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
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t5" AS "t3"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
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
            FROM
              "t5" AS "t3"
            LIMIT
              + ?
            OFFSET
              0
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
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
            FROM
              "t5" AS "t3"
            LIMIT
              + ?
            OFFSET
              + ?
          ),
          (
            SELECT
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
            FROM
              (
                SELECT
                  "t6".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + ?
                  ) AS "t6"
              ) AS "t3"
            ORDER BY
              "t3"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t5"
        LIMIT
          + ?
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
