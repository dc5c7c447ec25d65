SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      )
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
        coalesce(
          string_agg (concat ('{"id":"prd_', "t2"."id", '"}'), ','),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t3" AS "t2"
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
                  "t3"
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
                  "t3"
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
                  "t4".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t3"
                    LIMIT
                      + ?
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
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
          "t3"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
