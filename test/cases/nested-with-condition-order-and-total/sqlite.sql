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
                "customer" AS "t9"
              WHERE
                "t9"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t9"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t7"
              ORDER BY
                "t7"."id"
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
                  '{"nodes":[',
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
                        coalesce(
                          ',"total":"' || CASE typeof("t4"."total")
                            WHEN 'integer' THEN CASE
                              WHEN "t4"."total" < 0 THEN '-'
                              ELSE ''
                            END || abs("t4"."total" / 100) || '.' || substr(100 + abs("t4"."total" % 100), 2)
                          END || '"}',
                          ',"total":' || char(3) || '}'
                        )
                      ),
                      ','
                    ),
                    ''
                  ),
                  '],"totalCount":',
                  (
                    SELECT
                      count(*)
                    FROM
                      "order" AS "t6"
                    WHERE
                      "t6"."customer_id" = "t1"."id"
                      AND "t6"."status" = ?
                  ),
                  ',"pageInfo":{"hasNextPage":',
                  CASE
                    WHEN count(*) = + ?
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        (
                          SELECT
                            "t3"."id" AS "id",
                            "t3"."total" AS "total"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
                            AND "t3"."status" = ?
                          ORDER BY
                            "t3"."total" DESC,
                            "t3"."id"
                          LIMIT
                            + ?
                        ) AS "t4"
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
                          coalesce(
                            '"' || CASE typeof("t4"."total")
                              WHEN 'integer' THEN CASE
                                WHEN "t4"."total" < 0 THEN '-'
                                ELSE ''
                              END || abs("t4"."total" / 100) || '.' || substr(100 + abs("t4"."total" % 100), 2)
                            END || '"',
                            CASE
                              WHEN "t4"."total" IS NOT NULL THEN json_array(
                                typeof("t4"."total"),
                                CASE typeof("t4"."total")
                                  WHEN 'blob' THEN hex("t4"."total")
                                  WHEN 'real' THEN format('%!.17g', "t4"."total")
                                  ELSE CAST("t4"."total" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ',[',
                          coalesce(
                            CASE typeof("t4"."id")
                              WHEN 'text' THEN json_quote("t4"."id")
                            END,
                            CASE
                              WHEN "t4"."id" IS NOT NULL THEN json_array(
                                typeof("t4"."id"),
                                CASE typeof("t4"."id")
                                  WHEN 'blob' THEN hex("t4"."id")
                                  WHEN 'real' THEN format('%!.17g', "t4"."id")
                                  ELSE CAST("t4"."id" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t3"."id" AS "id",
                            "t3"."total" AS "total"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
                            AND "t3"."status" = ?
                          ORDER BY
                            "t3"."total" DESC,
                            "t3"."id"
                          LIMIT
                            + ?
                        ) AS "t4"
                      LIMIT
                        + ?
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
                          '0[',
                          coalesce(
                            '"' || CASE typeof("t4"."total")
                              WHEN 'integer' THEN CASE
                                WHEN "t4"."total" < 0 THEN '-'
                                ELSE ''
                              END || abs("t4"."total" / 100) || '.' || substr(100 + abs("t4"."total" % 100), 2)
                            END || '"',
                            CASE
                              WHEN "t4"."total" IS NOT NULL THEN json_array(
                                typeof("t4"."total"),
                                CASE typeof("t4"."total")
                                  WHEN 'blob' THEN hex("t4"."total")
                                  WHEN 'real' THEN format('%!.17g', "t4"."total")
                                  ELSE CAST("t4"."total" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ',[',
                          coalesce(
                            CASE typeof("t4"."id")
                              WHEN 'text' THEN json_quote("t4"."id")
                            END,
                            CASE
                              WHEN "t4"."id" IS NOT NULL THEN json_array(
                                typeof("t4"."id"),
                                CASE typeof("t4"."id")
                                  WHEN 'blob' THEN hex("t4"."id")
                                  WHEN 'real' THEN format('%!.17g', "t4"."id")
                                  ELSE CAST("t4"."id" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t3"."id" AS "id",
                            "t3"."total" AS "total"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
                            AND "t3"."status" = ?
                          ORDER BY
                            "t3"."total" DESC,
                            "t3"."id"
                          LIMIT
                            + ?
                        ) AS "t4"
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
                          coalesce(
                            '"' || CASE typeof("t4"."total")
                              WHEN 'integer' THEN CASE
                                WHEN "t4"."total" < 0 THEN '-'
                                ELSE ''
                              END || abs("t4"."total" / 100) || '.' || substr(100 + abs("t4"."total" % 100), 2)
                            END || '"',
                            CASE
                              WHEN "t4"."total" IS NOT NULL THEN json_array(
                                typeof("t4"."total"),
                                CASE typeof("t4"."total")
                                  WHEN 'blob' THEN hex("t4"."total")
                                  WHEN 'real' THEN format('%!.17g', "t4"."total")
                                  ELSE CAST("t4"."total" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ',[',
                          coalesce(
                            CASE typeof("t4"."id")
                              WHEN 'text' THEN json_quote("t4"."id")
                            END,
                            CASE
                              WHEN "t4"."id" IS NOT NULL THEN json_array(
                                typeof("t4"."id"),
                                CASE typeof("t4"."id")
                                  WHEN 'blob' THEN hex("t4"."id")
                                  WHEN 'real' THEN format('%!.17g', "t4"."id")
                                  ELSE CAST("t4"."id" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t5".*,
                            row_number() OVER () AS "number_"
                          FROM
                            (
                              SELECT
                                "t3"."id" AS "id",
                                "t3"."total" AS "total"
                              FROM
                                "order" AS "t3"
                              WHERE
                                "t3"."customer_id" = "t1"."id"
                                AND "t3"."status" = ?
                              ORDER BY
                                "t3"."total" DESC,
                                "t3"."id"
                              LIMIT
                                + ?
                            ) AS "t5"
                        ) AS "t4"
                      ORDER BY
                        "t4"."number_" DESC
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
                    "t3"."id" AS "id",
                    "t3"."total" AS "total"
                  FROM
                    "order" AS "t3"
                  WHERE
                    "t3"."customer_id" = "t1"."id"
                    AND "t3"."status" = ?
                  ORDER BY
                    "t3"."total" DESC,
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
