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
              "product" AS "t3"
            ORDER BY
              "t3"."price" DESC,
              "t3"."id"
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
                CASE
                  WHEN "t4"."price" >= 0 THEN concat (
                    '"',
                    "t4"."price" / 100,
                    '.',
                    substr(100 + ("t4"."price" % 100), 2),
                    '"'
                  )
                  WHEN "t4"."price" < 0 THEN concat (
                    '"-',
                    - ("t4"."price" / 100),
                    '.',
                    substr(100 - ("t4"."price" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t4"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."price" AS "price",
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                ORDER BY
                  "t3"."price" DESC,
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
                '0[',
                CASE
                  WHEN "t4"."price" >= 0 THEN concat (
                    '"',
                    "t4"."price" / 100,
                    '.',
                    substr(100 + ("t4"."price" % 100), 2),
                    '"'
                  )
                  WHEN "t4"."price" < 0 THEN concat (
                    '"-',
                    - ("t4"."price" / 100),
                    '.',
                    substr(100 - ("t4"."price" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t4"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."price" AS "price",
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                ORDER BY
                  "t3"."price" DESC,
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
                '0[',
                CASE
                  WHEN "t4"."price" >= 0 THEN concat (
                    '"',
                    "t4"."price" / 100,
                    '.',
                    substr(100 + ("t4"."price" % 100), 2),
                    '"'
                  )
                  WHEN "t4"."price" < 0 THEN concat (
                    '"-',
                    - ("t4"."price" / 100),
                    '.',
                    substr(100 - ("t4"."price" % 100), 2),
                    '"'
                  )
                END,
                ',[',
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
                      "t3"."price" AS "price",
                      "t3"."id" AS "id"
                    FROM
                      "product" AS "t3"
                    ORDER BY
                      "t3"."price" DESC,
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
            '","price":"',
            CASE
              WHEN "t1"."price" < 0 THEN '-'
              ELSE ''
            END,
            abs("t1"."price" / 100),
            '.',
            substr(100 + abs("t1"."price" % 100), 2),
            '"}'
          ) AS "item"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."price" DESC,
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
