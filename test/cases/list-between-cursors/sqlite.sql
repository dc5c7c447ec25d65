SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":true,"hasPreviousPage":true,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t4"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                WHERE
                  "t3"."id" > ?
                  AND "t3"."id" < ?
                ORDER BY
                  "t3"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t4"
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
                json_quote("t4"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                WHERE
                  "t3"."id" > ?
                  AND "t3"."id" < ?
                ORDER BY
                  "t3"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t4"
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t4"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "product" AS "t3"
                    WHERE
                      "t3"."id" > ?
                      AND "t3"."id" < ?
                    ORDER BY
                      "t3"."id"
                    LIMIT
                      + ?
                  ) AS "t5"
              ) AS "t4"
            ORDER BY
              "t4"."number" DESC
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
            '{"id":"prd_',
            "t1"."id",
            '","slug":',
            json_quote("t1"."slug"),
            '}'
          ) AS "item"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."id" > ?
          AND "t1"."id" < ?
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
