SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "order" AS "t4"
            ORDER BY
              "t4"."id"
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
                json_quote("t5"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t4"."id" AS "id"
                FROM
                  "order" AS "t4"
                ORDER BY
                  "t4"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t5"
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
                json_quote("t5"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t4"."id" AS "id"
                FROM
                  "order" AS "t4"
                ORDER BY
                  "t4"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t5"
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t5"."id"),
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
                      "t4"."id" AS "id"
                    FROM
                      "order" AS "t4"
                    ORDER BY
                      "t4"."id"
                    LIMIT
                      + ?
                  ) AS "t6"
              ) AS "t5"
            ORDER BY
              "t5"."number_" DESC
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
  ) AS "r0"
