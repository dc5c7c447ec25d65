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
                    '{"key":{"mood":',
                    CASE
                      WHEN "t7"."a1" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN "t7"."a1" IN ('calm', 'loud', 'odd') THEN json_quote("t7"."a1")
                        END,
                        char(3)
                      )
                    END,
                    '},"count":',
                    "t7"."a2",
                    ',"max":{"madeOn":',
                    CASE
                      WHEN "t7"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        '"' || CASE
                          WHEN "t7"."a3" GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' THEN "t7"."a3"
                        END || '"',
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
                "t6"."mood" AS "a1",
                count(*) AS "a2",
                max("t6"."made_on") AS "a3"
              FROM
                "exhibit" AS "t6"
              GROUP BY
                1
              ORDER BY
                1 NULLS LAST
              LIMIT
                + ?
            ) AS "t7"
        ),
        ',"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND CASE
            WHEN + ? > 0 THEN EXISTS (
              SELECT
                1
              FROM
                "exhibit" AS "t5"
              WHERE
                "t5"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t5"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "exhibit" AS "t3"
              ORDER BY
                "t3"."id"
              LIMIT
                1
              OFFSET
                + ?
            )
          END THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              coalesce(
                CASE
                  WHEN typeof(min("t2"."key")) = 'integer'
                  AND min("t2"."key") BETWEEN -2147483648 AND 2147483647 THEN min("t2"."key")
                END,
                CASE
                  WHEN min("t2"."key") IS NOT NULL THEN json_array(
                    typeof(min("t2"."key")),
                    CASE typeof(min("t2"."key"))
                      WHEN 'blob' THEN hex(min("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', min("t2"."key"))
                      ELSE CAST(min("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        ',"endCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              coalesce(
                CASE
                  WHEN typeof(max("t2"."key")) = 'integer'
                  AND max("t2"."key") BETWEEN -2147483648 AND 2147483647 THEN max("t2"."key")
                END,
                CASE
                  WHEN max("t2"."key") IS NOT NULL THEN json_array(
                    typeof(max("t2"."key")),
                    CASE typeof(max("t2"."key"))
                      WHEN 'blob' THEN hex(max("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', max("t2"."key"))
                      ELSE CAST(max("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          coalesce(
            '{"id":"exhibit_' || CASE
              WHEN typeof("t1"."id") = 'integer'
              AND "t1"."id" BETWEEN -2147483648 AND 2147483647 THEN "t1"."id"
            END || '"}',
            '{"id":' || char(3) || '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
