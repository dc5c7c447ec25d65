SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND CASE
            WHEN + ? > 0 THEN EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t11"
              WHERE
                "t11"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t11"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t9"
              ORDER BY
                "t9"."id"
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
              '1[[',
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
              '1[[',
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
              CASE typeof(('cus_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('cus_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"orders":',
            (
              SELECT
                concat (
                  '{"aggregate":',
                  (
                    SELECT
                      concat (
                        '{"count":',
                        "t8"."a1",
                        ',"sum":{"total":',
                        coalesce(
                          '"' || bifold_sum ("t8"."a2", "t8"."a3", 2) || '"',
                          'null'
                        ),
                        '}}'
                      )
                    FROM
                      (
                        SELECT
                          count(*) AS "a1",
                          sum("t7"."total" >> 32) AS "a2",
                          sum("t7"."total" & 4294967295) AS "a3",
                          count("t7"."total") AS "a4"
                        FROM
                          "order" AS "t7"
                        WHERE
                          "t7"."customer_id" = "t1"."id"
                      ) AS "t8"
                  ),
                  ',"nodes":[',
                  coalesce(
                    string_agg (
                      concat (
                        '{"id":',
                        coalesce(
                          CASE typeof(('ord_' || "t4"."id"))
                            WHEN 'text' THEN json_quote(('ord_' || "t4"."id"))
                          END,
                          char(3)
                        ),
                        '}'
                      ),
                      ','
                    ),
                    ''
                  ),
                  '],"pageInfo":{"hasNextPage":',
                  CASE
                    WHEN count(*) = + ?
                    AND CASE
                      WHEN + ? > 0 THEN EXISTS (
                        SELECT
                          1
                        FROM
                          "order" AS "t6"
                        WHERE
                          "t6"."customer_id" = "t1"."id"
                          AND "t6"."id" > (
                            SELECT
                              max("t4"."id")
                          )
                        ORDER BY
                          "t6"."id"
                        LIMIT
                          1
                      )
                      ELSE EXISTS (
                        SELECT
                          1
                        FROM
                          (
                            SELECT
                              "t3"."id" AS "id"
                            FROM
                              "order" AS "t3"
                            WHERE
                              "t3"."customer_id" = "t1"."id"
                            ORDER BY
                              "t3"."id"
                            LIMIT
                              + ?
                          ) AS "t4"
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
                          CASE typeof(min("t4"."id"))
                            WHEN 'text' THEN json_quote(min("t4"."id"))
                          END,
                          CASE
                            WHEN min("t4"."id") IS NOT NULL THEN json_array(
                              typeof(min("t4"."id")),
                              CASE typeof(min("t4"."id"))
                                WHEN 'blob' THEN hex(min("t4"."id"))
                                WHEN 'real' THEN format('%!.17g', min("t4"."id"))
                                ELSE CAST(min("t4"."id") AS TEXT)
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
                          CASE typeof(max("t4"."id"))
                            WHEN 'text' THEN json_quote(max("t4"."id"))
                          END,
                          CASE
                            WHEN max("t4"."id") IS NOT NULL THEN json_array(
                              typeof(max("t4"."id")),
                              CASE typeof(max("t4"."id"))
                                WHEN 'blob' THEN hex(max("t4"."id"))
                                WHEN 'real' THEN format('%!.17g', max("t4"."id"))
                                ELSE CAST(max("t4"."id") AS TEXT)
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
                    "t3"."id" AS "id"
                  FROM
                    "order" AS "t3"
                  WHERE
                    "t3"."customer_id" = "t1"."id"
                  ORDER BY
                    "t3"."id"
                  LIMIT
                    + ?
                ) AS "t4"
            ),
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "customer" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
