SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $1::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "customer" AS "t1"
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '2[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '2[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '}}'
        )
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              (
                '{"id":' || coalesce(
                  to_json(('cus_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"orders":' || (
                  SELECT
                    (
                      '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || (
                        '],"pageInfo":{"hasNextPage":' || CASE
                          WHEN count(*) = + $2::bigint
                          AND EXISTS (
                            SELECT
                              1
                            FROM
                              (
                                SELECT
                                  1
                                FROM
                                  "order" AS "t3"
                                WHERE
                                  "t3"."customer_id" = "t1"."id"
                                ORDER BY
                                  ("t3"."id" COLLATE "C")
                                LIMIT
                                  11
                              ) AS "t4"
                            LIMIT
                              1
                            OFFSET
                              + $2::bigint
                          ) THEN 'true'
                          ELSE 'false'
                        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '1[[' || coalesce(
                                to_json((array_agg("t4"."id")) [1]::text)::text,
                                'null'
                              ) || ']]' || chr(2)
                            )
                          END,
                          'null'
                        ) || ',"endCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '1[[' || coalesce(
                                to_json((array_agg("t4"."id")) [count(*)]::text)::text,
                                'null'
                              ) || ']]' || chr(2)
                            )
                          END,
                          'null'
                        ) || '}}'
                      )
                    )
                  FROM
                    (
                      SELECT
                        *
                      FROM
                        (
                          SELECT
                            (
                              '{"id":' || coalesce(
                                to_json(('ord_' || "t3"."id")::text)::text,
                                chr(3)
                              ) || ',"lines":' || (
                                SELECT
                                  (
                                    '{"nodes":[' || coalesce(string_agg("t6"."item", ','), '') || (
                                      '],"pageInfo":{"hasNextPage":' || CASE
                                        WHEN count(*) = + $3::bigint
                                        AND EXISTS (
                                          SELECT
                                            1
                                          FROM
                                            (
                                              SELECT
                                                1
                                              FROM
                                                "order_line" AS "t5"
                                              WHERE
                                                "t5"."order_id" = "t3"."id"
                                              ORDER BY
                                                ("t5"."order_id" COLLATE "C"),
                                                "t5"."position"
                                              LIMIT
                                                11
                                            ) AS "t6"
                                          LIMIT
                                            1
                                          OFFSET
                                            + $3::bigint
                                        ) THEN 'true'
                                        ELSE 'false'
                                      END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                                        CASE
                                          WHEN count(*) > 0 THEN (
                                            chr(1) || '0[[' || coalesce(
                                              to_json((array_agg("t6"."order_id")) [1]::text)::text,
                                              'null'
                                            ) || ',' || coalesce(
                                              CASE
                                                WHEN (array_agg("t6"."position")) [1] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t6"."position")) [1] | 0)::text
                                              END,
                                              '["text",' || to_json((array_agg("t6"."position")) [1]::text)::text || ']',
                                              'null'
                                            ) || ']]' || chr(2)
                                          )
                                        END,
                                        'null'
                                      ) || ',"endCursor":' || coalesce(
                                        CASE
                                          WHEN count(*) > 0 THEN (
                                            chr(1) || '0[[' || coalesce(
                                              to_json((array_agg("t6"."order_id")) [count(*)]::text)::text,
                                              'null'
                                            ) || ',' || coalesce(
                                              CASE
                                                WHEN (array_agg("t6"."position")) [count(*)] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t6"."position")) [count(*)] | 0)::text
                                              END,
                                              '["text",' || to_json((array_agg("t6"."position")) [count(*)]::text)::text || ']',
                                              'null'
                                            ) || ']]' || chr(2)
                                          )
                                        END,
                                        'null'
                                      ) || '}}'
                                    )
                                  )
                                FROM
                                  (
                                    SELECT
                                      *
                                    FROM
                                      (
                                        SELECT
                                          (
                                            '{"id":' || coalesce(
                                              to_json(
                                                (
                                                  'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || ("t5"."position" | 0)
                                                )::text
                                              )::text,
                                              chr(3)
                                            ) || ',"product":' || CASE
                                              WHEN "t7"."id" IS NOT NULL THEN (
                                                '{"id":' || coalesce(
                                                  to_json(('prd_' || "t7"."id")::text)::text,
                                                  chr(3)
                                                ) || ',"name":' || coalesce(to_json("t7"."name"::text)::text, chr(3)) || ',"category":' || CASE
                                                  WHEN "t8"."id" IS NOT NULL THEN (
                                                    '{"id":' || coalesce(
                                                      to_json(('cat_' || "t8"."id")::text)::text,
                                                      chr(3)
                                                    ) || ',"name":' || coalesce(to_json("t8"."name"::text)::text, chr(3)) || ',"parent":' || CASE
                                                      WHEN "t9"."id" IS NOT NULL THEN (
                                                        '{"id":' || coalesce(
                                                          to_json(('cat_' || "t9"."id")::text)::text,
                                                          chr(3)
                                                        ) || ',"name":' || coalesce(to_json("t9"."name"::text)::text, chr(3)) || '}'
                                                      )
                                                      ELSE 'null'
                                                    END || '}'
                                                  )
                                                  ELSE 'null'
                                                END || '}'
                                              )
                                              ELSE 'null'
                                            END || '}'
                                          ) AS "item",
                                          "t5"."order_id" AS "order_id",
                                          "t5"."position" AS "position"
                                        FROM
                                          "order_line" AS "t5"
                                          LEFT JOIN "product" AS "t7" ON "t7"."id" = "t5"."product_id"
                                          LEFT JOIN "category" AS "t8" ON "t8"."id" = "t7"."category_id"
                                          LEFT JOIN "category" AS "t9" ON "t9"."id" = "t8"."parent_id"
                                        WHERE
                                          "t5"."order_id" = "t3"."id"
                                        ORDER BY
                                          ("t5"."order_id" COLLATE "C"),
                                          "t5"."position"
                                        LIMIT
                                          11
                                      ) AS "t6"
                                    LIMIT
                                      + $3::bigint
                                  ) AS "t6"
                              ) || '}'
                            ) AS "item",
                            "t3"."id" AS "id"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
                          ORDER BY
                            ("t3"."id" COLLATE "C")
                          LIMIT
                            11
                        ) AS "t4"
                      LIMIT
                        + $2::bigint
                    ) AS "t4"
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
