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
                    coalesce(
                      CASE "t7"."a1"
                        WHEN 1 THEN 'true'
                        WHEN 0 THEN 'false'
                      END,
                      char(3)
                    ),
                    ',"categoryId":',
                    coalesce(
                      CASE typeof(('cat_' || "t7"."a2"))
                        WHEN 'text' THEN json_quote(('cat_' || "t7"."a2"))
                      END,
                      char(3)
                    ),
                    '},"count":',
                    "t7"."a3",
                    ',"avg":{"weight":',
                    CASE
                      WHEN "t7"."a4" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN typeof(
                            (
                              CASE
                                WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                                ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                              END
                            )
                          ) IN ('real', 'integer')
                          AND (
                            CASE
                              WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                              ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                            END
                          ) BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE (
                              CASE
                                WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                                ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                              END
                            )
                            WHEN CAST(
                              format(
                                '%.15g',
                                (
                                  CASE
                                    WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                                    ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                                  END
                                )
                              ) AS REAL
                            ) THEN format(
                              '%.15g',
                              (
                                CASE
                                  WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                                  ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                                END
                              )
                            )
                            WHEN CAST(
                              format(
                                '%.16g',
                                (
                                  CASE
                                    WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                                    ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                                  END
                                )
                              ) AS REAL
                            ) THEN format(
                              '%.16g',
                              (
                                CASE
                                  WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                                  ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                                END
                              )
                            )
                            ELSE format(
                              '%!.17g',
                              (
                                CASE
                                  WHEN abs("t7"."a4") < 9e999 THEN "t7"."a4" / "t7"."a6"
                                  ELSE "t7"."a5" / "t7"."a6" * 18446744073709551616.0
                                END
                              )
                            )
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
                "t6"."active" AS "a1",
                "t6"."category_id" AS "a2",
                count(*) AS "a3",
                sum(CAST("t6"."weight" AS REAL)) AS "a4",
                sum(
                  CAST("t6"."weight" AS REAL) * 5.421010862427522e-20
                ) AS "a5",
                count(CAST("t6"."weight" AS REAL)) AS "a6"
              FROM
                "product" AS "t6"
              GROUP BY
                1,
                2
              ORDER BY
                1 NULLS LAST,
                2 NULLS LAST
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
                "product" AS "t5"
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
                "product" AS "t3"
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
              CASE typeof(('prd_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('prd_' || "t1"."id"))
              END,
              char(3)
            ),
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
