SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t5"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "order" AS "t6"
            WHERE
              (
                (
                  "t6"."status" = $1::text
                  AND (
                    "t6"."id" IN (
                      SELECT
                        "t7"."order_id"
                      FROM
                        "order_line" AS "t7"
                      WHERE
                        "t7"."product_id" = (
                          SELECT
                            "t8"."id"
                          FROM
                            "product" AS "t8"
                          WHERE
                            "t8"."slug" = $2::text
                          LIMIT
                            1
                        )
                    )
                  ) IS NOT TRUE
                )
                OR "t6"."customer_id" = (
                  SELECT
                    "t9"."id"
                  FROM
                    "customer" AS "t9"
                  WHERE
                    "t9"."email" = $3::text
                  LIMIT
                    1
                )
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $4::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "order" AS "t1"
                  WHERE
                    (
                      (
                        "t1"."status" = $5::text
                        AND (
                          "t1"."id" IN (
                            SELECT
                              "t2"."order_id"
                            FROM
                              "order_line" AS "t2"
                            WHERE
                              "t2"."product_id" = (
                                SELECT
                                  "t3"."id"
                                FROM
                                  "product" AS "t3"
                                WHERE
                                  "t3"."slug" = $6::text
                                LIMIT
                                  1
                              )
                          )
                        ) IS NOT TRUE
                      )
                      OR "t1"."customer_id" = (
                        SELECT
                          "t4"."id"
                        FROM
                          "customer" AS "t4"
                        WHERE
                          "t4"."email" = $7::text
                        LIMIT
                          1
                      )
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t5"
              LIMIT
                1
              OFFSET
                + $4::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(to_json((array_agg("t5"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t5"."id")) [count(*)])::text,
                  chr(3)
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
              coalesce(
                '{"id":"ord_' || "t1"."id" || '"}',
                '{"id":' || chr(3) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              (
                (
                  "t1"."status" = $5::text
                  AND (
                    "t1"."id" IN (
                      SELECT
                        "t2"."order_id"
                      FROM
                        "order_line" AS "t2"
                      WHERE
                        "t2"."product_id" = (
                          SELECT
                            "t3"."id"
                          FROM
                            "product" AS "t3"
                          WHERE
                            "t3"."slug" = $6::text
                          LIMIT
                            1
                        )
                    )
                  ) IS NOT TRUE
                )
                OR "t1"."customer_id" = (
                  SELECT
                    "t4"."id"
                  FROM
                    "customer" AS "t4"
                  WHERE
                    "t4"."email" = $7::text
                  LIMIT
                    1
                )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t5"
        LIMIT
          + $4::bigint
      ) AS "t5"
  ) AS "r0"
