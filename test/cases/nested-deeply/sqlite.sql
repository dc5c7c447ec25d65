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
              json_quote(min("t2"."key")),
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
              json_quote(max("t2"."key")),
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
            '{"id":"cus_',
            "t1"."id",
            '","orders":',
            (
              SELECT
                concat (
                  '{"nodes":[',
                  coalesce(
                    string_agg (
                      concat (
                        '{"id":"ord_',
                        "t4"."id",
                        '","lines":',
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
                                      json_quote("t11"."order_id"),
                                      ',',
                                      "t11"."position",
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
                                      json_quote("t11"."order_id"),
                                      ',',
                                      "t11"."position",
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
                                      json_quote("t11"."order_id"),
                                      ',',
                                      "t11"."position",
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
                                  '{"id":',
                                  json_quote(
                                    'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || "t5"."position"
                                  ),
                                  ',"product":',
                                  CASE
                                    WHEN "t7"."id" IS NOT NULL THEN concat (
                                      '{"id":"prd_',
                                      "t7"."id",
                                      '","name":',
                                      json_quote("t7"."name"),
                                      ',"category":',
                                      CASE
                                        WHEN "t8"."id" IS NOT NULL THEN concat (
                                          '{"id":"cat_',
                                          "t8"."id",
                                          '","name":',
                                          json_quote("t8"."name"),
                                          ',"parent":',
                                          CASE
                                            WHEN "t9"."id" IS NOT NULL THEN concat (
                                              '{"id":"cat_',
                                              "t9"."id",
                                              '","name":',
                                              json_quote("t9"."name"),
                                              '}'
                                            )
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
                        json_quote(min("t4"."id")),
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
                        json_quote(max("t4"."id")),
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
