SELECT
  (
    SELECT
      concat (
        '{"groups":',
        (
          SELECT
            concat (
              '[',
              coalesce(
                string_agg (
                  concat (
                    '{"key":{"active":',
                    CASE "t6"."a1"
                      WHEN 1 THEN 'true'
                      WHEN 0 THEN 'false'
                    END,
                    ',"categoryId":"cat_',
                    "t6"."a2",
                    '"},"count":',
                    "t6"."a3",
                    ',"avg":{"weight":',
                    CASE
                      WHEN "t6"."a4" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t6"."a4") < 9e999 THEN CASE "t6"."a4"
                            WHEN CAST(format('%.15g', "t6"."a4") AS REAL) THEN format('%.15g', "t6"."a4")
                            WHEN CAST(format('%.16g', "t6"."a4") AS REAL) THEN format('%.16g', "t6"."a4")
                            ELSE format('%!.17g', "t6"."a4")
                          END
                        END,
                        char(3)
                      )
                    END,
                    '}}'
                  ),
                  ','
                ),
                ''
              ),
              ']'
            )
          FROM
            (
              SELECT
                "t5"."active" AS "a1",
                "t5"."category_id" AS "a2",
                count(*) AS "a3",
                avg(CAST("t5"."weight" AS REAL)) AS "a4"
              FROM
                "product" AS "t5"
              GROUP BY
                1,
                2
              ORDER BY
                1 NULLS LAST,
                2 NULLS LAST
              LIMIT
                + ?
            ) AS "t6"
        ),
        ',"nodes":[',
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
                  "t7".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "product" AS "t3"
                    ORDER BY
                      "t3"."id"
                    LIMIT
                      + ?
                  ) AS "t7"
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
          concat ('{"id":"prd_', "t1"."id", '"}') AS "item"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
