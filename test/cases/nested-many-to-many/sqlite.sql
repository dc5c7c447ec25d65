SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "product" AS "t7"
            ORDER BY
              "t7"."id"
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
                '1[[',
                json_quote("t8"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t7"."id" AS "id"
                FROM
                  "product" AS "t7"
                ORDER BY
                  "t7"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t8"
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '1[[',
                json_quote("t8"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t7"."id" AS "id"
                FROM
                  "product" AS "t7"
                ORDER BY
                  "t7"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t8"
          ),
          (
            SELECT
              concat (
                char(1),
                '1[[',
                json_quote("t8"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t9".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t7"."id" AS "id"
                    FROM
                      "product" AS "t7"
                    ORDER BY
                      "t7"."id"
                    LIMIT
                      + ?
                  ) AS "t9"
              ) AS "t8"
            ORDER BY
              "t8"."number" DESC
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
            '{"id":"prd_',
            "t1"."id",
            '","tags":',
            (
              SELECT
                concat (
                  '{"nodes":[',
                  coalesce(
                    string_agg (
                      concat (
                        '{"id":',
                        json_quote('tag_' || "t5"."name"),
                        ',"featured":',
                        CASE "t5"."featured"
                          WHEN 1 THEN 'true'
                          WHEN 0 THEN 'false'
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
                    AND EXISTS (
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
                          json_quote("t5"."name"),
                          ']]',
                          char(2)
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
                      LIMIT
                        1
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
                          '0[[',
                          json_quote("t5"."name"),
                          ']]',
                          char(2)
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
                      LIMIT
                        1
                      OFFSET
                        + ?
                    ),
                    (
                      SELECT
                        concat (
                          char(1),
                          '0[[',
                          json_quote("t5"."name"),
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t6".*,
                            row_number() OVER () AS "number"
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
                            ) AS "t6"
                        ) AS "t5"
                      ORDER BY
                        "t5"."number" DESC
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
          ) AS "item"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
