SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name",
          "t1"."price" AS "price",
          "t1"."category_id" AS "category_id"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."active" = ?
          AND instr("t1"."name", ?) > 0
        ORDER BY
          "t1"."price" DESC,
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
              '{"id":"prd_',
              "t2"."id",
              '","name":',
              json_quote("t2"."name"),
              ',"price":"',
              CASE
                WHEN "t2"."price" < 0 THEN '-'
                ELSE ''
              END,
              abs("t2"."price" / 100),
              '.',
              substr(100 + abs("t2"."price" % 100), 2),
              '","category":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat (
                  '{"id":"cat_',
                  "t3"."id",
                  '","name":',
                  json_quote("t3"."name"),
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
        ',"hasPreviousPage":false,"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                CASE
                  WHEN "t2"."price" >= 0 THEN concat (
                    '"',
                    "t2"."price" / 100,
                    '.',
                    substr(100 + ("t2"."price" % 100), 2),
                    '"'
                  )
                  WHEN "t2"."price" < 0 THEN concat (
                    '"-',
                    - ("t2"."price" / 100),
                    '.',
                    substr(100 - ("t2"."price" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              "t4" AS "t2"
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
                CASE
                  WHEN "t2"."price" >= 0 THEN concat (
                    '"',
                    "t2"."price" / 100,
                    '.',
                    substr(100 + ("t2"."price" % 100), 2),
                    '"'
                  )
                  WHEN "t2"."price" < 0 THEN concat (
                    '"-',
                    - ("t2"."price" / 100),
                    '.',
                    substr(100 - ("t2"."price" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t2"."id"),
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
                      *
                    FROM
                      "t4"
                    LIMIT
                      + ?
                  ) AS "t5"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ),
        ',"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                CASE
                  WHEN "t2"."price" >= 0 THEN concat (
                    '"',
                    "t2"."price" / 100,
                    '.',
                    substr(100 + ("t2"."price" % 100), 2),
                    '"'
                  )
                  WHEN "t2"."price" < 0 THEN concat (
                    '"-',
                    - ("t2"."price" / 100),
                    '.',
                    substr(100 - ("t2"."price" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              "t4" AS "t2"
            LIMIT
              + ?
            OFFSET
              0
          ),
          'null'
        ),
        '},"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "product" AS "t6"
          WHERE
            "t6"."active" = ?
            AND instr("t6"."name", ?) > 0
        ),
        '}'
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
      LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
  ) AS "r0"
