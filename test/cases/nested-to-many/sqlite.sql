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
                "order" AS "t10"
              WHERE
                "t10"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t10"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "order" AS "t8"
              ORDER BY
                "t8"."id"
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
              CASE typeof(('ord_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"lines":',
            (
              SELECT
                concat (
                  '{"nodes":[',
                  coalesce(string_agg ("t4"."item", ','), ''),
                  '],"pageInfo":{"hasNextPage":',
                  CASE
                    WHEN count(*) = + ?
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "order_line" AS "t5"
                      WHERE
                        "t5"."order_id" = "t1"."id"
                      ORDER BY
                        "t5"."order_id",
                        "t5"."position"
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
                          coalesce(
                            CASE typeof("t6"."order_id")
                              WHEN 'text' THEN json_quote("t6"."order_id")
                            END,
                            CASE
                              WHEN "t6"."order_id" IS NOT NULL THEN json_array(
                                typeof("t6"."order_id"),
                                CASE typeof("t6"."order_id")
                                  WHEN 'blob' THEN hex("t6"."order_id")
                                  WHEN 'real' THEN format('%!.17g', "t6"."order_id")
                                  ELSE CAST("t6"."order_id" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ',',
                          coalesce(
                            CASE
                              WHEN typeof("t6"."position") = 'integer'
                              AND "t6"."position" BETWEEN -2147483648 AND 2147483647 THEN "t6"."position"
                            END,
                            CASE
                              WHEN "t6"."position" IS NOT NULL THEN json_array(
                                typeof("t6"."position"),
                                CASE typeof("t6"."position")
                                  WHEN 'blob' THEN hex("t6"."position")
                                  WHEN 'real' THEN format('%!.17g', "t6"."position")
                                  ELSE CAST("t6"."position" AS TEXT)
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
                            "t5"."order_id" AS "order_id",
                            "t5"."position" AS "position"
                          FROM
                            "order_line" AS "t5"
                          WHERE
                            "t5"."order_id" = "t1"."id"
                          ORDER BY
                            "t5"."order_id",
                            "t5"."position"
                          LIMIT
                            + ?
                          OFFSET
                            0
                        ) AS "t6"
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
                          coalesce(
                            CASE typeof("t6"."order_id")
                              WHEN 'text' THEN json_quote("t6"."order_id")
                            END,
                            CASE
                              WHEN "t6"."order_id" IS NOT NULL THEN json_array(
                                typeof("t6"."order_id"),
                                CASE typeof("t6"."order_id")
                                  WHEN 'blob' THEN hex("t6"."order_id")
                                  WHEN 'real' THEN format('%!.17g', "t6"."order_id")
                                  ELSE CAST("t6"."order_id" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ',',
                          coalesce(
                            CASE
                              WHEN typeof("t6"."position") = 'integer'
                              AND "t6"."position" BETWEEN -2147483648 AND 2147483647 THEN "t6"."position"
                            END,
                            CASE
                              WHEN "t6"."position" IS NOT NULL THEN json_array(
                                typeof("t6"."position"),
                                CASE typeof("t6"."position")
                                  WHEN 'blob' THEN hex("t6"."position")
                                  WHEN 'real' THEN format('%!.17g', "t6"."position")
                                  ELSE CAST("t6"."position" AS TEXT)
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
                            "t5"."order_id" AS "order_id",
                            "t5"."position" AS "position"
                          FROM
                            "order_line" AS "t5"
                          WHERE
                            "t5"."order_id" = "t1"."id"
                          ORDER BY
                            "t5"."order_id",
                            "t5"."position"
                          LIMIT
                            + ?
                          OFFSET
                            + ?
                        ) AS "t6"
                    ),
                    (
                      SELECT
                        concat (
                          char(1),
                          '0[[',
                          coalesce(
                            CASE typeof("t6"."order_id")
                              WHEN 'text' THEN json_quote("t6"."order_id")
                            END,
                            CASE
                              WHEN "t6"."order_id" IS NOT NULL THEN json_array(
                                typeof("t6"."order_id"),
                                CASE typeof("t6"."order_id")
                                  WHEN 'blob' THEN hex("t6"."order_id")
                                  WHEN 'real' THEN format('%!.17g', "t6"."order_id")
                                  ELSE CAST("t6"."order_id" AS TEXT)
                                END
                              )
                            END,
                            'null'
                          ),
                          ',',
                          coalesce(
                            CASE
                              WHEN typeof("t6"."position") = 'integer'
                              AND "t6"."position" BETWEEN -2147483648 AND 2147483647 THEN "t6"."position"
                            END,
                            CASE
                              WHEN "t6"."position" IS NOT NULL THEN json_array(
                                typeof("t6"."position"),
                                CASE typeof("t6"."position")
                                  WHEN 'blob' THEN hex("t6"."position")
                                  WHEN 'real' THEN format('%!.17g', "t6"."position")
                                  ELSE CAST("t6"."position" AS TEXT)
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
                            "t7".*,
                            row_number() OVER () AS "number"
                          FROM
                            (
                              SELECT
                                "t5"."order_id" AS "order_id",
                                "t5"."position" AS "position"
                              FROM
                                "order_line" AS "t5"
                              WHERE
                                "t5"."order_id" = "t1"."id"
                              ORDER BY
                                "t5"."order_id",
                                "t5"."position"
                              LIMIT
                                + ?
                            ) AS "t7"
                        ) AS "t6"
                      ORDER BY
                        "t6"."number" DESC
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
                      '{"id":',
                      coalesce(
                        CASE typeof(
                            (
                              'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                WHEN typeof("t3"."position") = 'integer'
                                AND "t3"."position" BETWEEN -2147483648 AND 2147483647 THEN "t3"."position"
                              END
                            )
                          )
                          WHEN 'text' THEN json_quote(
                            (
                              'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                WHEN typeof("t3"."position") = 'integer'
                                AND "t3"."position" BETWEEN -2147483648 AND 2147483647 THEN "t3"."position"
                              END
                            )
                          )
                        END,
                        char(3)
                      ),
                      ',"quantity":',
                      coalesce(
                        CASE
                          WHEN typeof("t3"."quantity") = 'integer'
                          AND "t3"."quantity" BETWEEN -2147483648 AND 2147483647 THEN "t3"."quantity"
                        END,
                        char(3)
                      ),
                      '}'
                    ) AS "item"
                  FROM
                    "order_line" AS "t3"
                  WHERE
                    "t3"."order_id" = "t1"."id"
                  ORDER BY
                    "t3"."order_id",
                    "t3"."position"
                  LIMIT
                    + ?
                ) AS "t4"
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
