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
                "customer" AS "t17"
              WHERE
                "t17"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t17"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t15"
              ORDER BY
                "t15"."id"
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
              '2[[',
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
              '2[[',
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
                        ',"lines":',
                        (
                          SELECT
                            concat (
                              '{"nodes":[',
                              coalesce(string_agg ("t6"."item", ','), ''),
                              '],"pageInfo":{"hasNextPage":',
                              CASE
                                WHEN count(*) = + ?
                                AND EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order_line" AS "t10"
                                  WHERE
                                    "t10"."order_id" = "t4"."id"
                                  ORDER BY
                                    "t10"."order_id",
                                    "t10"."position"
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
                                        CASE typeof("t11"."order_id")
                                          WHEN 'text' THEN json_quote("t11"."order_id")
                                        END,
                                        CASE
                                          WHEN "t11"."order_id" IS NOT NULL THEN json_array(
                                            typeof("t11"."order_id"),
                                            CASE typeof("t11"."order_id")
                                              WHEN 'blob' THEN hex("t11"."order_id")
                                              WHEN 'real' THEN format('%!.17g', "t11"."order_id")
                                              ELSE CAST("t11"."order_id" AS TEXT)
                                            END
                                          )
                                        END,
                                        'null'
                                      ),
                                      ',',
                                      coalesce(
                                        CASE
                                          WHEN typeof("t11"."position") = 'integer'
                                          AND "t11"."position" BETWEEN -2147483648 AND 2147483647 THEN "t11"."position"
                                        END,
                                        CASE
                                          WHEN "t11"."position" IS NOT NULL THEN json_array(
                                            typeof("t11"."position"),
                                            CASE typeof("t11"."position")
                                              WHEN 'blob' THEN hex("t11"."position")
                                              WHEN 'real' THEN format('%!.17g', "t11"."position")
                                              ELSE CAST("t11"."position" AS TEXT)
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
                                        "t10"."order_id" AS "order_id",
                                        "t10"."position" AS "position"
                                      FROM
                                        "order_line" AS "t10"
                                      WHERE
                                        "t10"."order_id" = "t4"."id"
                                      ORDER BY
                                        "t10"."order_id",
                                        "t10"."position"
                                      LIMIT
                                        + ?
                                      OFFSET
                                        0
                                    ) AS "t11"
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
                                        CASE typeof("t11"."order_id")
                                          WHEN 'text' THEN json_quote("t11"."order_id")
                                        END,
                                        CASE
                                          WHEN "t11"."order_id" IS NOT NULL THEN json_array(
                                            typeof("t11"."order_id"),
                                            CASE typeof("t11"."order_id")
                                              WHEN 'blob' THEN hex("t11"."order_id")
                                              WHEN 'real' THEN format('%!.17g', "t11"."order_id")
                                              ELSE CAST("t11"."order_id" AS TEXT)
                                            END
                                          )
                                        END,
                                        'null'
                                      ),
                                      ',',
                                      coalesce(
                                        CASE
                                          WHEN typeof("t11"."position") = 'integer'
                                          AND "t11"."position" BETWEEN -2147483648 AND 2147483647 THEN "t11"."position"
                                        END,
                                        CASE
                                          WHEN "t11"."position" IS NOT NULL THEN json_array(
                                            typeof("t11"."position"),
                                            CASE typeof("t11"."position")
                                              WHEN 'blob' THEN hex("t11"."position")
                                              WHEN 'real' THEN format('%!.17g', "t11"."position")
                                              ELSE CAST("t11"."position" AS TEXT)
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
                                        "t10"."order_id" AS "order_id",
                                        "t10"."position" AS "position"
                                      FROM
                                        "order_line" AS "t10"
                                      WHERE
                                        "t10"."order_id" = "t4"."id"
                                      ORDER BY
                                        "t10"."order_id",
                                        "t10"."position"
                                      LIMIT
                                        + ?
                                      OFFSET
                                        + ?
                                    ) AS "t11"
                                ),
                                (
                                  SELECT
                                    concat (
                                      char(1),
                                      '0[[',
                                      coalesce(
                                        CASE typeof("t11"."order_id")
                                          WHEN 'text' THEN json_quote("t11"."order_id")
                                        END,
                                        CASE
                                          WHEN "t11"."order_id" IS NOT NULL THEN json_array(
                                            typeof("t11"."order_id"),
                                            CASE typeof("t11"."order_id")
                                              WHEN 'blob' THEN hex("t11"."order_id")
                                              WHEN 'real' THEN format('%!.17g', "t11"."order_id")
                                              ELSE CAST("t11"."order_id" AS TEXT)
                                            END
                                          )
                                        END,
                                        'null'
                                      ),
                                      ',',
                                      coalesce(
                                        CASE
                                          WHEN typeof("t11"."position") = 'integer'
                                          AND "t11"."position" BETWEEN -2147483648 AND 2147483647 THEN "t11"."position"
                                        END,
                                        CASE
                                          WHEN "t11"."position" IS NOT NULL THEN json_array(
                                            typeof("t11"."position"),
                                            CASE typeof("t11"."position")
                                              WHEN 'blob' THEN hex("t11"."position")
                                              WHEN 'real' THEN format('%!.17g', "t11"."position")
                                              ELSE CAST("t11"."position" AS TEXT)
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
                                        "t12".*,
                                        row_number() OVER () AS "number"
                                      FROM
                                        (
                                          SELECT
                                            "t10"."order_id" AS "order_id",
                                            "t10"."position" AS "position"
                                          FROM
                                            "order_line" AS "t10"
                                          WHERE
                                            "t10"."order_id" = "t4"."id"
                                          ORDER BY
                                            "t10"."order_id",
                                            "t10"."position"
                                          LIMIT
                                            + ?
                                        ) AS "t12"
                                    ) AS "t11"
                                  ORDER BY
                                    "t11"."number" DESC
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
                                  CASE
                                    WHEN (
                                      SELECT
                                        bifold_columns (
                                          '["order_line",["order_id","TEXT",0],["position","INTEGER",0]]'
                                        )
                                    ) THEN concat (
                                      '{"id":',
                                      coalesce(
                                        CASE
                                          WHEN (
                                            'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                              WHEN "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                                            END
                                          ) IS NOT NULL THEN json_quote(
                                            (
                                              'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                                WHEN "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                                              END
                                            )
                                          )
                                        END,
                                        char(3)
                                      ),
                                      ',"product":'
                                    )
                                    ELSE concat (
                                      '{"id":',
                                      coalesce(
                                        CASE typeof(
                                            (
                                              'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                                WHEN typeof("t5"."position") = 'integer'
                                                AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                                              END
                                            )
                                          )
                                          WHEN 'text' THEN json_quote(
                                            (
                                              'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                                WHEN typeof("t5"."position") = 'integer'
                                                AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                                              END
                                            )
                                          )
                                        END,
                                        char(3)
                                      ),
                                      ',"product":'
                                    )
                                  END,
                                  CASE
                                    WHEN "t7"."id" IS NOT NULL THEN concat (
                                      CASE
                                        WHEN (
                                          SELECT
                                            bifold_columns ('["product",["id","TEXT",0],["name","TEXT",1]]')
                                        ) THEN concat (
                                          '{"id":',
                                          coalesce(
                                            CASE
                                              WHEN ('prd_' || "t7"."id") IS NOT NULL THEN json_quote(('prd_' || "t7"."id"))
                                            END,
                                            char(3)
                                          ),
                                          ',"name":',
                                          json_quote("t7"."name"),
                                          ',"category":'
                                        )
                                        ELSE concat (
                                          '{"id":',
                                          coalesce(
                                            CASE typeof(('prd_' || "t7"."id"))
                                              WHEN 'text' THEN json_quote(('prd_' || "t7"."id"))
                                            END,
                                            char(3)
                                          ),
                                          ',"name":',
                                          coalesce(
                                            CASE typeof("t7"."name")
                                              WHEN 'text' THEN json_quote("t7"."name")
                                            END,
                                            char(3)
                                          ),
                                          ',"category":'
                                        )
                                      END,
                                      CASE
                                        WHEN "t8"."id" IS NOT NULL THEN concat (
                                          CASE
                                            WHEN (
                                              SELECT
                                                bifold_columns ('["category",["id","TEXT",0],["name","TEXT",1]]')
                                            ) THEN concat (
                                              '{"id":',
                                              coalesce(
                                                CASE
                                                  WHEN ('cat_' || "t8"."id") IS NOT NULL THEN json_quote(('cat_' || "t8"."id"))
                                                END,
                                                char(3)
                                              ),
                                              ',"name":',
                                              json_quote("t8"."name"),
                                              ',"parent":'
                                            )
                                            ELSE concat (
                                              '{"id":',
                                              coalesce(
                                                CASE typeof(('cat_' || "t8"."id"))
                                                  WHEN 'text' THEN json_quote(('cat_' || "t8"."id"))
                                                END,
                                                char(3)
                                              ),
                                              ',"name":',
                                              coalesce(
                                                CASE typeof("t8"."name")
                                                  WHEN 'text' THEN json_quote("t8"."name")
                                                END,
                                                char(3)
                                              ),
                                              ',"parent":'
                                            )
                                          END,
                                          CASE
                                            WHEN "t9"."id" IS NOT NULL THEN CASE
                                              WHEN (
                                                SELECT
                                                  bifold_columns ('["category",["id","TEXT",0],["name","TEXT",1]]')
                                              ) THEN concat (
                                                '{"id":',
                                                coalesce(
                                                  CASE
                                                    WHEN ('cat_' || "t9"."id") IS NOT NULL THEN json_quote(('cat_' || "t9"."id"))
                                                  END,
                                                  char(3)
                                                ),
                                                ',"name":',
                                                json_quote("t9"."name"),
                                                '}'
                                              )
                                              ELSE concat (
                                                '{"id":',
                                                coalesce(
                                                  CASE typeof(('cat_' || "t9"."id"))
                                                    WHEN 'text' THEN json_quote(('cat_' || "t9"."id"))
                                                  END,
                                                  char(3)
                                                ),
                                                ',"name":',
                                                coalesce(
                                                  CASE typeof("t9"."name")
                                                    WHEN 'text' THEN json_quote("t9"."name")
                                                  END,
                                                  char(3)
                                                ),
                                                '}'
                                              )
                                            END
                                            ELSE 'null'
                                          END,
                                          '}'
                                        )
                                        ELSE 'null'
                                      END,
                                      '}'
                                    )
                                    ELSE 'null'
                                  END,
                                  '}'
                                ) AS "item"
                              FROM
                                "order_line" AS "t5"
                                LEFT JOIN "product" AS "t7" ON "t7"."id" = "t5"."product_id"
                                LEFT JOIN "category" AS "t8" ON "t8"."id" = "t7"."category_id"
                                LEFT JOIN "category" AS "t9" ON "t9"."id" = "t8"."parent_id"
                              WHERE
                                "t5"."order_id" = "t4"."id"
                              ORDER BY
                                "t5"."order_id",
                                "t5"."position"
                              LIMIT
                                + ?
                            ) AS "t6"
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
                          "order" AS "t14"
                        WHERE
                          "t14"."customer_id" = "t1"."id"
                          AND "t14"."id" > (
                            SELECT
                              max("t4"."id")
                          )
                        ORDER BY
                          "t14"."id"
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
                        '1[[',
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
                        '1[[',
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
