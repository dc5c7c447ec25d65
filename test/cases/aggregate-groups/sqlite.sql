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
                    '{"key":{"status":',
                    coalesce(
                      CASE
                        WHEN "t7"."a1" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN json_quote("t7"."a1")
                      END,
                      char(3)
                    ),
                    '},"count":',
                    "t7"."a2",
                    ',"sum":{"total":',
                    coalesce(
                      '"' || bifold_sum ("t7"."a3", "t7"."a4", 2) || '"',
                      'null'
                    ),
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
                "t6"."status" AS "a1",
                count(*) AS "a2",
                sum("t6"."total" >> 32) AS "a3",
                sum("t6"."total" & 4294967295) AS "a4",
                count("t6"."total") AS "a5"
              FROM
                "order" AS "t6"
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
                "order" AS "t5"
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
                "order" AS "t3"
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
                CASE typeof(min("t2"."key"))
                  WHEN 'text' THEN json_quote(min("t2"."key"))
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
                CASE typeof(max("t2"."key"))
                  WHEN 'text' THEN json_quote(max("t2"."key"))
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
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('ord_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
              END,
              char(3)
            ),
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "order" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
