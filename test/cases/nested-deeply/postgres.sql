SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"cus_' || "t2"."id" || '"', chr(3)),
              ',"orders":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          coalesce('"ord_' || "t4"."id" || '"', chr(3)),
                          ',"lines":',
                          (
                            SELECT
                              concat(
                                '{"nodes":[',
                                coalesce(
                                  string_agg(
                                    concat(
                                      '{"id":',
                                      coalesce(
                                        to_json(
                                          'line_' || replace(replace("t6"."order_id", '%', '%25'), '~', '%7E') || '~' || "t6"."position"
                                        )::text,
                                        chr(3)
                                      ),
                                      ',"product":',
                                      CASE
                                        WHEN "t7"."id" IS NOT NULL THEN concat(
                                          '{"id":',
                                          coalesce('"prd_' || "t7"."id" || '"', chr(3)),
                                          ',"name":',
                                          coalesce(to_json("t7"."name")::text, chr(3)),
                                          ',"category":',
                                          CASE
                                            WHEN "t8"."id" IS NOT NULL THEN concat(
                                              '{"id":',
                                              coalesce('"cat_' || "t8"."id" || '"', chr(3)),
                                              ',"name":',
                                              coalesce(to_json("t8"."name")::text, chr(3)),
                                              ',"parent":',
                                              CASE
                                                WHEN "t9"."id" IS NOT NULL THEN concat(
                                                  '{"id":',
                                                  coalesce('"cat_' || "t9"."id" || '"', chr(3)),
                                                  ',"name":',
                                                  coalesce(to_json("t9"."name")::text, chr(3)),
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
                                      chr(1),
                                      '0[[',
                                      coalesce(to_json("t6"."order_id")::text, chr(3)),
                                      ',',
                                      coalesce("t6"."position"::text, chr(3)),
                                      ']]',
                                      chr(2)
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = 1
                                      AND "t6"."number" <= $3::bigint
                                  ),
                                  'null'
                                ),
                                ',"endCursor":',
                                coalesce(
                                  max(
                                    concat(
                                      chr(1),
                                      '0[[',
                                      coalesce(to_json("t6"."order_id")::text, chr(3)),
                                      ',',
                                      coalesce("t6"."position"::text, chr(3)),
                                      ']]',
                                      chr(2)
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = CASE
                                        WHEN "t6"."size" > $4::bigint THEN $5::bigint
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
                                      $6::bigint
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
                          "t4"."number_" <= $7::bigint
                      ),
                      ''
                    ),
                    '],"pageInfo":{"hasNextPage":',
                    CASE
                      WHEN count(*) > $8::bigint THEN 'true'
                      ELSE 'false'
                    END,
                    ',"hasPreviousPage":false,"startCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '1[[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = 1
                          AND "t4"."number_" <= $9::bigint
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '1[[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = CASE
                            WHEN "t4"."size" > $10::bigint THEN $11::bigint
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
                          $12::bigint
                      ) AS "t11"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $13::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $14::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '2[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= $15::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '2[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $16::bigint THEN $17::bigint
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
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $18::bigint
          ) AS "t12"
      ) AS "t2"
  ) AS "r0"
