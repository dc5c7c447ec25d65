SELECT
  (
    WITH
      "t12" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "customer" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      )
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"cus_',
              "t2"."id",
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
                                coalesce(
                                  string_agg (
                                    concat (
                                      '{"id":',
                                      json_quote(
                                        'line_' || replace(replace("t6"."order_id", '%', '%25'), '~', '%7E') || '~' || "t6"."position"
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
                                          "t5"."order_id" AS "order_id",
                                          "t5"."position" AS "position",
                                          "t5"."product_id" AS "product_id"
                                        FROM
                                          "order_line" AS "t5"
                                        WHERE
                                          "t5"."order_id" = "t4"."id"
                                        ORDER BY
                                          "t5"."order_id",
                                          "t5"."position"
                                        LIMIT
                                          + ?
                                      ) AS "t6"
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
                                        json_quote("t6"."order_id"),
                                        ',',
                                        "t6"."position",
                                        ']]',
                                        char(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          "t5"."order_id" AS "order_id",
                                          "t5"."position" AS "position",
                                          "t5"."product_id" AS "product_id"
                                        FROM
                                          "order_line" AS "t5"
                                        WHERE
                                          "t5"."order_id" = "t4"."id"
                                        ORDER BY
                                          "t5"."order_id",
                                          "t5"."position"
                                        LIMIT
                                          + ?
                                      ) AS "t6"
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
                                        json_quote("t6"."order_id"),
                                        ',',
                                        "t6"."position",
                                        ']]',
                                        char(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          "t5"."order_id" AS "order_id",
                                          "t5"."position" AS "position",
                                          "t5"."product_id" AS "product_id"
                                        FROM
                                          "order_line" AS "t5"
                                        WHERE
                                          "t5"."order_id" = "t4"."id"
                                        ORDER BY
                                          "t5"."order_id",
                                          "t5"."position"
                                        LIMIT
                                          + ?
                                      ) AS "t6"
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
                                        json_quote("t6"."order_id"),
                                        ',',
                                        "t6"."position",
                                        ']]',
                                        char(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          "t10".*,
                                          row_number() OVER () AS "number"
                                        FROM
                                          (
                                            SELECT
                                              "t5"."order_id" AS "order_id",
                                              "t5"."position" AS "position",
                                              "t5"."product_id" AS "product_id"
                                            FROM
                                              "order_line" AS "t5"
                                            WHERE
                                              "t5"."order_id" = "t4"."id"
                                            ORDER BY
                                              "t5"."order_id",
                                              "t5"."position"
                                            LIMIT
                                              + ?
                                          ) AS "t10"
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
                                  "t5"."order_id" AS "order_id",
                                  "t5"."position" AS "position",
                                  "t5"."product_id" AS "product_id"
                                FROM
                                  "order_line" AS "t5"
                                WHERE
                                  "t5"."order_id" = "t4"."id"
                                ORDER BY
                                  "t5"."order_id",
                                  "t5"."position"
                                LIMIT
                                  + ?
                              ) AS "t6"
                              LEFT JOIN "product" AS "t7" ON "t7"."id" = "t6"."product_id"
                              LEFT JOIN "category" AS "t8" ON "t8"."id" = "t7"."category_id"
                              LEFT JOIN "category" AS "t9" ON "t9"."id" = "t8"."parent_id"
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
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          (
                            SELECT
                              "t3"."id" AS "id"
                            FROM
                              "order" AS "t3"
                            WHERE
                              "t3"."customer_id" = "t2"."id"
                            ORDER BY
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
                            '1[[',
                            json_quote("t4"."id"),
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t3"."id" AS "id"
                            FROM
                              "order" AS "t3"
                            WHERE
                              "t3"."customer_id" = "t2"."id"
                            ORDER BY
                              "t3"."id"
                            LIMIT
                              + ?
                          ) AS "t4"
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
                            '1[[',
                            json_quote("t4"."id"),
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t3"."id" AS "id"
                            FROM
                              "order" AS "t3"
                            WHERE
                              "t3"."customer_id" = "t2"."id"
                            ORDER BY
                              "t3"."id"
                            LIMIT
                              + ?
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + ?
                      ),
                      (
                        SELECT
                          concat (
                            char(1),
                            '1[[',
                            json_quote("t4"."id"),
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t11".*,
                              row_number() OVER () AS "number_"
                            FROM
                              (
                                SELECT
                                  "t3"."id" AS "id"
                                FROM
                                  "order" AS "t3"
                                WHERE
                                  "t3"."customer_id" = "t2"."id"
                                ORDER BY
                                  "t3"."id"
                                LIMIT
                                  + ?
                              ) AS "t11"
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
                      "t3"."id" AS "id"
                    FROM
                      "order" AS "t3"
                    WHERE
                      "t3"."customer_id" = "t2"."id"
                    ORDER BY
                      "t3"."id"
                    LIMIT
                      + ?
                  ) AS "t4"
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
          AND EXISTS (
            SELECT
              1
            FROM
              "t12" AS "t2"
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
                '2[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t12"
                LIMIT
                  + ?
              ) AS "t2"
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
                '2[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t12"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '2[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t13".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t12"
                    LIMIT
                      + ?
                  ) AS "t13"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
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
          *
        FROM
          "t12"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
