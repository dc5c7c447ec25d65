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
                "category" AS "t14"
              WHERE
                "t14"."id" > (
                  SELECT
                    max("t2"."key")
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
                "category" AS "t12"
              ORDER BY
                "t12"."id"
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
              CASE typeof(('cat_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('cat_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"name":',
            coalesce(
              CASE typeof("t1"."name")
                WHEN 'text' THEN json_quote("t1"."name")
              END,
              char(3)
            ),
            ',"children":',
            (
              SELECT
                concat (
                  '{"nodes":[',
                  coalesce(
                    string_agg (
                      concat (
                        '{',
                        CASE
                          WHEN (
                            SELECT
                              bifold_columns ('["category",["id","TEXT",0],["name","TEXT",1]]')
                          ) THEN concat (
                            '"id":',
                            coalesce(
                              CASE
                                WHEN ('cat_' || "t4"."id") IS NOT NULL THEN json_quote(('cat_' || "t4"."id"))
                              END,
                              char(3)
                            ),
                            ',"name":',
                            json_quote("t4"."name")
                          )
                          ELSE concat (
                            '"id":',
                            coalesce(
                              CASE typeof(('cat_' || "t4"."id"))
                                WHEN 'text' THEN json_quote(('cat_' || "t4"."id"))
                              END,
                              char(3)
                            ),
                            ',"name":',
                            coalesce(
                              CASE typeof("t4"."name")
                                WHEN 'text' THEN json_quote("t4"."name")
                              END,
                              char(3)
                            )
                          )
                        END,
                        ',"children":',
                        (
                          SELECT
                            concat (
                              '{"nodes":[',
                              coalesce(
                                string_agg (
                                  concat (
                                    '{',
                                    CASE
                                      WHEN (
                                        SELECT
                                          bifold_columns ('["category",["id","TEXT",0],["name","TEXT",1]]')
                                      ) THEN concat (
                                        '"id":',
                                        coalesce(
                                          CASE
                                            WHEN ('cat_' || "t6"."id") IS NOT NULL THEN json_quote(('cat_' || "t6"."id"))
                                          END,
                                          char(3)
                                        ),
                                        ',"name":',
                                        json_quote("t6"."name")
                                      )
                                      ELSE concat (
                                        '"id":',
                                        coalesce(
                                          CASE typeof(('cat_' || "t6"."id"))
                                            WHEN 'text' THEN json_quote(('cat_' || "t6"."id"))
                                          END,
                                          char(3)
                                        ),
                                        ',"name":',
                                        coalesce(
                                          CASE typeof("t6"."name")
                                            WHEN 'text' THEN json_quote("t6"."name")
                                          END,
                                          char(3)
                                        )
                                      )
                                    END,
                                    ',"parent":',
                                    CASE
                                      WHEN "t7"."id" IS NOT NULL THEN concat (
                                        '{',
                                        CASE
                                          WHEN (
                                            SELECT
                                              bifold_columns ('["category",["id","TEXT",0],["name","TEXT",1]]')
                                          ) THEN concat (
                                            '"id":',
                                            coalesce(
                                              CASE
                                                WHEN ('cat_' || "t7"."id") IS NOT NULL THEN json_quote(('cat_' || "t7"."id"))
                                              END,
                                              char(3)
                                            ),
                                            ',"name":',
                                            json_quote("t7"."name")
                                          )
                                          ELSE concat (
                                            '"id":',
                                            coalesce(
                                              CASE typeof(('cat_' || "t7"."id"))
                                                WHEN 'text' THEN json_quote(('cat_' || "t7"."id"))
                                              END,
                                              char(3)
                                            ),
                                            ',"name":',
                                            coalesce(
                                              CASE typeof("t7"."name")
                                                WHEN 'text' THEN json_quote("t7"."name")
                                              END,
                                              char(3)
                                            )
                                          )
                                        END,
                                        '}'
                                      )
                                      ELSE 'null'
                                    END,
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
                                      "category" AS "t9"
                                    WHERE
                                      "t9"."parent_id" = "t4"."id"
                                      AND "t9"."id" > (
                                        SELECT
                                          max("t6"."id")
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
                                      (
                                        SELECT
                                          "t5"."id" AS "id",
                                          "t5"."name" AS "name",
                                          "t5"."parent_id" AS "parent_id"
                                        FROM
                                          "category" AS "t5"
                                        WHERE
                                          "t5"."parent_id" = "t4"."id"
                                        ORDER BY
                                          "t5"."id"
                                        LIMIT
                                          + ?
                                      ) AS "t6"
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
                                      CASE typeof(min("t6"."id"))
                                        WHEN 'text' THEN json_quote(min("t6"."id"))
                                      END,
                                      CASE
                                        WHEN min("t6"."id") IS NOT NULL THEN json_array(
                                          typeof(min("t6"."id")),
                                          CASE typeof(min("t6"."id"))
                                            WHEN 'blob' THEN hex(min("t6"."id"))
                                            WHEN 'real' THEN format('%!.17g', min("t6"."id"))
                                            ELSE CAST(min("t6"."id") AS TEXT)
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
                                      CASE typeof(max("t6"."id"))
                                        WHEN 'text' THEN json_quote(max("t6"."id"))
                                      END,
                                      CASE
                                        WHEN max("t6"."id") IS NOT NULL THEN json_array(
                                          typeof(max("t6"."id")),
                                          CASE typeof(max("t6"."id"))
                                            WHEN 'blob' THEN hex(max("t6"."id"))
                                            WHEN 'real' THEN format('%!.17g', max("t6"."id"))
                                            ELSE CAST(max("t6"."id") AS TEXT)
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
                                "t5"."id" AS "id",
                                "t5"."name" AS "name",
                                "t5"."parent_id" AS "parent_id"
                              FROM
                                "category" AS "t5"
                              WHERE
                                "t5"."parent_id" = "t4"."id"
                              ORDER BY
                                "t5"."id"
                              LIMIT
                                + ?
                            ) AS "t6"
                            LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
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
                          "category" AS "t11"
                        WHERE
                          "t11"."parent_id" = "t1"."id"
                          AND "t11"."id" > (
                            SELECT
                              max("t4"."id")
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
                          (
                            SELECT
                              "t3"."id" AS "id",
                              "t3"."name" AS "name"
                            FROM
                              "category" AS "t3"
                            WHERE
                              "t3"."parent_id" = "t1"."id"
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
                    "t3"."id" AS "id",
                    "t3"."name" AS "name"
                  FROM
                    "category" AS "t3"
                  WHERE
                    "t3"."parent_id" = "t1"."id"
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
          "category" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
