SELECT
  (
    WITH
      "t14" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "customer" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"cus_' || "t2"."id" || '"', chr(3)) || ',"orders":' || (
                WITH
                  "t12" AS MATERIALIZED (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "order" AS "t3"
                    WHERE
                      "t3"."customer_id" = "t2"."id"
                    ORDER BY
                      ("t3"."id" COLLATE "C")
                    LIMIT
                      + $2::bigint
                  )
                SELECT
                  (
                    '{"nodes":[' || coalesce(
                      string_agg(
                        (
                          '{"id":' || coalesce('"ord_' || "t4"."id" || '"', chr(3)) || ',"lines":' || (
                            WITH
                              "t10" AS MATERIALIZED (
                                SELECT
                                  "t11".*,
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
                                      ("t5"."order_id" COLLATE "C"),
                                      "t5"."position"
                                    LIMIT
                                      + $3::bigint
                                  ) AS "t11"
                              )
                            SELECT
                              (
                                '{"nodes":[' || coalesce(
                                  string_agg(
                                    (
                                      '{"id":' || coalesce(
                                        to_json(
                                          'line_' || replace(replace("t6"."order_id", '%', '%25'), '~', '%7E') || '~' || "t6"."position"
                                        )::text,
                                        chr(3)
                                      ) || ',"product":' || CASE
                                        WHEN "t7"."id" IS NOT NULL THEN (
                                          '{"id":' || coalesce('"prd_' || "t7"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t7"."name")::text, chr(3)) || ',"category":' || CASE
                                            WHEN "t8"."id" IS NOT NULL THEN (
                                              '{"id":' || coalesce('"cat_' || "t8"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t8"."name")::text, chr(3)) || ',"parent":' || CASE
                                                WHEN "t9"."id" IS NOT NULL THEN (
                                                  '{"id":' || coalesce('"cat_' || "t9"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t9"."name")::text, chr(3)) || '}'
                                                )
                                                ELSE 'null'
                                              END || '}'
                                            )
                                            ELSE 'null'
                                          END || '}'
                                        )
                                        ELSE 'null'
                                      END || '}'
                                    ),
                                    ','
                                    ORDER BY
                                      "t6"."number"
                                  ),
                                  ''
                                ) || '],"pageInfo":{"hasNextPage":' || CASE
                                  WHEN count(*) = + $4::bigint
                                  AND EXISTS (
                                    SELECT
                                      1
                                    FROM
                                      "t10" AS "t6"
                                    LIMIT
                                      1
                                    OFFSET
                                      + $5::bigint
                                  ) THEN 'true'
                                  ELSE 'false'
                                END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                                  (
                                    SELECT
                                      (
                                        chr(1) || '0[[' || coalesce(to_json("t6"."order_id")::text, chr(3)) || ',' || coalesce("t6"."position"::text, chr(3)) || ']]' || chr(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          *
                                        FROM
                                          "t10"
                                        LIMIT
                                          + $6::bigint
                                      ) AS "t6"
                                    LIMIT
                                      1
                                    OFFSET
                                      0
                                  ),
                                  'null'
                                ) || ',"endCursor":' || coalesce(
                                  (
                                    SELECT
                                      (
                                        chr(1) || '0[[' || coalesce(to_json("t6"."order_id")::text, chr(3)) || ',' || coalesce("t6"."position"::text, chr(3)) || ']]' || chr(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          *
                                        FROM
                                          "t10"
                                        LIMIT
                                          + $7::bigint
                                      ) AS "t6"
                                    LIMIT
                                      1
                                    OFFSET
                                      + $8::bigint
                                  ),
                                  (
                                    SELECT
                                      (
                                        chr(1) || '0[[' || coalesce(to_json("t6"."order_id")::text, chr(3)) || ',' || coalesce("t6"."position"::text, chr(3)) || ']]' || chr(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          *
                                        FROM
                                          "t10"
                                        LIMIT
                                          + $9::bigint
                                      ) AS "t6"
                                    ORDER BY
                                      "t6"."number" DESC
                                    LIMIT
                                      1
                                  ),
                                  'null'
                                ) || '}}'
                              )
                            FROM
                              (
                                SELECT
                                  *
                                FROM
                                  "t10"
                                LIMIT
                                  + $10::bigint
                              ) AS "t6"
                              LEFT JOIN "product" AS "t7" ON "t7"."id" = "t6"."product_id"
                              LEFT JOIN "category" AS "t8" ON "t8"."id" = "t7"."category_id"
                              LEFT JOIN "category" AS "t9" ON "t9"."id" = "t8"."parent_id"
                          ) || '}'
                        ),
                        ','
                      ),
                      ''
                    ) || '],"pageInfo":{"hasNextPage":' || CASE
                      WHEN count(*) = + $11::bigint
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          "t12" AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $12::bigint
                      ) THEN 'true'
                      ELSE 'false'
                    END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                      (
                        SELECT
                          (
                            chr(1) || '1[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t12"
                            LIMIT
                              + $13::bigint
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          0
                      ),
                      'null'
                    ) || ',"endCursor":' || coalesce(
                      (
                        SELECT
                          (
                            chr(1) || '1[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t12"
                            LIMIT
                              + $14::bigint
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $15::bigint
                      ),
                      (
                        SELECT
                          (
                            chr(1) || '1[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              "t13".*,
                              row_number() OVER () AS "number_"
                            FROM
                              (
                                SELECT
                                  *
                                FROM
                                  "t12"
                                LIMIT
                                  + $16::bigint
                              ) AS "t13"
                          ) AS "t4"
                        ORDER BY
                          "t4"."number_" DESC
                        LIMIT
                          1
                      ),
                      'null'
                    ) || '}}'
                  )
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t12"
                    LIMIT
                      + $17::bigint
                  ) AS "t4"
              ) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $18::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t14" AS "t2"
            LIMIT
              1
            OFFSET
              + $19::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '2[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t14"
                LIMIT
                  + $20::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '2[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t14"
                LIMIT
                  + $21::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $22::bigint
          ),
          (
            SELECT
              (
                chr(1) || '2[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t15".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t14"
                    LIMIT
                      + $23::bigint
                  ) AS "t15"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t14"
        LIMIT
          + $24::bigint
      ) AS "t2"
  ) AS "r0"
