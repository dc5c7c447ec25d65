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
                    CASE "t5"."a1"
                      WHEN 1 THEN 'true'
                      WHEN 0 THEN 'false'
                    END,
                    ',"categoryId":"cat_',
                    "t5"."a2",
                    '"},"count":',
                    "t5"."a3",
                    ',"avg":{"weight":',
                    CASE
                      WHEN "t5"."a4" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t5"."a4") < 9e999 THEN CASE "t5"."a4"
                            WHEN CAST(format('%.15g', "t5"."a4") AS REAL) THEN format('%.15g', "t5"."a4")
                            WHEN CAST(format('%.16g', "t5"."a4") AS REAL) THEN format('%.16g', "t5"."a4")
                            ELSE format('%!.17g', "t5"."a4")
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
                "t4"."active" AS "a1",
                "t4"."category_id" AS "a2",
                count(*) AS "a3",
                avg(CAST("t4"."weight" AS REAL)) AS "a4"
              FROM
                "product" AS "t4"
              GROUP BY
                1,
                2
              ORDER BY
                1 NULLS LAST,
                2 NULLS LAST
              LIMIT
                ?
            ) AS "t5"
        ),
        ',"nodes":[',
        coalesce(
          string_agg (concat ('{"id":"prd_', "t2"."id", '"}'), ',') FILTER (
            WHERE
              "t2"."number" <= ?
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
              "t2"."number" = 1
              AND "t2"."number" <= ?
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
              "t2"."number" = CASE
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
          "t3".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
