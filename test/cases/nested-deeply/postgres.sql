SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              CASE
                WHEN "t2"."id" IS NULL THEN ''
                ELSE concat('"cus_', "t2"."id", '"')
              END,
              ',"orders":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          CASE
                            WHEN "t4"."id" IS NULL THEN ''
                            ELSE concat('"ord_', "t4"."id", '"')
                          END,
                          ',"lines":',
                          (
                            SELECT
                              concat(
                                '{"nodes":[',
                                coalesce(
                                  string_agg(
                                    concat(
                                      '{"id":',
                                      CASE
                                        WHEN "t6"."order_id" IS NULL
                                        OR "t6"."position" IS NULL THEN ''
                                        ELSE concat(
                                          to_json(
                                            concat(
                                              'line_',
                                              replace(replace("t6"."order_id", '%', '%25'), '~', '%7E'),
                                              '~',
                                              "t6"."position"
                                            )
                                          )::text
                                        )
                                      END,
                                      ',"product":',
                                      CASE
                                        WHEN "t7"."id" IS NOT NULL THEN concat(
                                          '{"id":',
                                          CASE
                                            WHEN "t7"."id" IS NULL THEN ''
                                            ELSE concat('"prd_', "t7"."id", '"')
                                          END,
                                          ',"name":',
                                          coalesce(to_json(("t7"."name" COLLATE "C"))::text, ''),
                                          ',"category":',
                                          CASE
                                            WHEN "t8"."id" IS NOT NULL THEN concat(
                                              '{"id":',
                                              CASE
                                                WHEN "t8"."id" IS NULL THEN ''
                                                ELSE concat('"cat_', "t8"."id", '"')
                                              END,
                                              ',"name":',
                                              coalesce(to_json(("t8"."name" COLLATE "C"))::text, ''),
                                              ',"parent":',
                                              CASE
                                                WHEN "t9"."id" IS NOT NULL THEN concat(
                                                  '{"id":',
                                                  CASE
                                                    WHEN "t9"."id" IS NULL THEN ''
                                                    ELSE concat('"cat_', "t9"."id", '"')
                                                  END,
                                                  ',"name":',
                                                  coalesce(to_json(("t9"."name" COLLATE "C"))::text, ''),
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
                                    ORDER BY
                                      "t6"."number"
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" <= $1::bigint
                                  ),
                                  ''
                                ),
                                '],"pageInfo":{"hasNextPage":',
                                CASE
                                  WHEN count(*) > $2::bigint THEN 'true'
                                  ELSE 'false'
                                END,
                                ',"hasPreviousPage":false,"startCursor":',
                                coalesce(
                                  max(
                                    concat(
                                      '0[[',
                                      coalesce(to_json(("t6"."order_id" COLLATE "C"))::text, ''),
                                      ',',
                                      coalesce("t6"."position"::text, ''),
                                      ']]'
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = 1
                                  ),
                                  'null'
                                ),
                                ',"endCursor":',
                                coalesce(
                                  max(
                                    concat(
                                      '0[[',
                                      coalesce(to_json(("t6"."order_id" COLLATE "C"))::text, ''),
                                      ',',
                                      coalesce("t6"."position"::text, ''),
                                      ']]'
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = CASE
                                        WHEN "t6"."size" > $3::bigint THEN $4::bigint
                                        ELSE "t6"."size"
                                      END
                                  ),
                                  'null'
                                ),
                                '}}'
                              )
                            FROM
                              (
                                SELECT
                                  "t10".*,
                                  row_number() OVER () AS "number",
                                  count(*) OVER () AS "size"
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
                                      ("t5"."order_id" COLLATE "C"),
                                      "t5"."position"
                                    LIMIT
                                      $5::bigint
                                  ) AS "t10"
                              ) AS "t6"
                              LEFT JOIN "product" AS "t7" ON "t7"."id" = "t6"."product_id"
                              LEFT JOIN "category" AS "t8" ON "t8"."id" = "t7"."category_id"
                              LEFT JOIN "category" AS "t9" ON "t9"."id" = "t8"."parent_id"
                          ),
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t4"."number_" <= $6::bigint
                      ),
                      ''
                    ),
                    '],"pageInfo":{"hasNextPage":',
                    CASE
                      WHEN count(*) > $7::bigint THEN 'true'
                      ELSE 'false'
                    END,
                    ',"hasPreviousPage":false,"startCursor":',
                    coalesce(
                      max(
                        concat(
                          '1[[',
                          coalesce(to_json(("t4"."id" COLLATE "C"))::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = 1
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          '1[[',
                          coalesce(to_json(("t4"."id" COLLATE "C"))::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = CASE
                            WHEN "t4"."size" > $8::bigint THEN $9::bigint
                            ELSE "t4"."size"
                          END
                      ),
                      'null'
                    ),
                    '}}'
                  )
                FROM
                  (
                    SELECT
                      "t11".*,
                      row_number() OVER () AS "number_",
                      count(*) OVER () AS "size"
                    FROM
                      (
                        SELECT
                          "t3"."id" AS "id"
                        FROM
                          "order" AS "t3"
                        WHERE
                          "t3"."customer_id" = "t2"."id"
                        ORDER BY
                          ("t3"."id" COLLATE "C")
                        LIMIT
                          $10::bigint
                      ) AS "t11"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $11::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $12::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              '2[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '2[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $13::bigint THEN $14::bigint
                ELSE "t2"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t12".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $15::bigint
          ) AS "t12"
      ) AS "t2"
  ) AS "r0"
