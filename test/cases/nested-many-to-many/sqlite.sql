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
                "product" AS "t11"
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
                "product" AS "t9"
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
              CASE typeof(('prd_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('prd_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"tags":',
            (
              SELECT
                concat (
                  '{"nodes":[',
                  coalesce(
                    string_agg (
                      CASE
                        WHEN (
                          SELECT
                            bifold_columns (
                              '["tag",["name","TEXT",0],["featured","INTEGER",1]]'
                            )
                        ) THEN concat (
                          '{"id":',
                          coalesce(
                            CASE
                              WHEN ('tag_' || "t5"."name") IS NOT NULL THEN json_quote(('tag_' || "t5"."name"))
                            END,
                            char(3)
                          ),
                          ',"featured":',
                          coalesce(
                            CASE "t5"."featured"
                              WHEN 1 THEN 'true'
                              WHEN 0 THEN 'false'
                            END,
                            char(3)
                          ),
                          '}'
                        )
                        ELSE concat (
                          '{"id":',
                          coalesce(
                            CASE typeof(('tag_' || "t5"."name"))
                              WHEN 'text' THEN json_quote(('tag_' || "t5"."name"))
                            END,
                            char(3)
                          ),
                          ',"featured":',
                          coalesce(
                            CASE "t5"."featured"
                              WHEN 1 THEN 'true'
                              WHEN 0 THEN 'false'
                            END,
                            char(3)
                          ),
                          '}'
                        )
                      END,
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
                          "tag" AS "t7"
                        WHERE
                          "t7"."name" IN (
                            SELECT
                              "t8"."tag_id"
                            FROM
                              "product_tag" AS "t8"
                            WHERE
                              "t8"."product_id" = "t1"."id"
                          )
                          AND "t7"."name" > (
                            SELECT
                              max("t5"."name")
                          )
                        ORDER BY
                          "t7"."name"
                        LIMIT
                          1
                      )
                      ELSE EXISTS (
                        SELECT
                          1
                        FROM
                          (
                            SELECT
                              "t3"."name" AS "name",
                              "t3"."featured" AS "featured"
                            FROM
                              "tag" AS "t3"
                            WHERE
                              "t3"."name" IN (
                                SELECT
                                  "t4"."tag_id"
                                FROM
                                  "product_tag" AS "t4"
                                WHERE
                                  "t4"."product_id" = "t1"."id"
                              )
                            ORDER BY
                              "t3"."name"
                            LIMIT
                              + ?
                          ) AS "t5"
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
                          CASE typeof(min("t5"."name"))
                            WHEN 'text' THEN json_quote(min("t5"."name"))
                          END,
                          CASE
                            WHEN min("t5"."name") IS NOT NULL THEN json_array(
                              typeof(min("t5"."name")),
                              CASE typeof(min("t5"."name"))
                                WHEN 'blob' THEN hex(min("t5"."name"))
                                WHEN 'real' THEN format('%!.17g', min("t5"."name"))
                                ELSE CAST(min("t5"."name") AS TEXT)
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
                          CASE typeof(max("t5"."name"))
                            WHEN 'text' THEN json_quote(max("t5"."name"))
                          END,
                          CASE
                            WHEN max("t5"."name") IS NOT NULL THEN json_array(
                              typeof(max("t5"."name")),
                              CASE typeof(max("t5"."name"))
                                WHEN 'blob' THEN hex(max("t5"."name"))
                                WHEN 'real' THEN format('%!.17g', max("t5"."name"))
                                ELSE CAST(max("t5"."name") AS TEXT)
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
                    "t3"."name" AS "name",
                    "t3"."featured" AS "featured"
                  FROM
                    "tag" AS "t3"
                  WHERE
                    "t3"."name" IN (
                      SELECT
                        "t4"."tag_id"
                      FROM
                        "product_tag" AS "t4"
                      WHERE
                        "t4"."product_id" = "t1"."id"
                    )
                  ORDER BY
                    "t3"."name"
                  LIMIT
                    + ?
                ) AS "t5"
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
