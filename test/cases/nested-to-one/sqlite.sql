SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
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
      )
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
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t4" AS "t2"
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
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
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
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t4"
                    LIMIT
                      + ?
                  ) AS "t5"
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
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
          "t4"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
  ) AS "r0"
