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
                chr(1) || '1[[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)])::text,
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
              (
                coalesce(
                  '{"id":"cus_' || "t1"."id" || '","orders":',
                  '{"id":' || chr(3) || ',"orders":'
                ) || (
                  SELECT
                    (
                      '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || (
                        '],"totalCount":' || (
                          SELECT
                            count(*)
                          FROM
                            "order" AS "t5"
                          WHERE
                            "t5"."customer_id" = "t1"."id"
                            AND "t5"."status" = $2::text
                        ) || ',"pageInfo":{"hasNextPage":' || CASE
                          WHEN count(*) = + $3::bigint
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
                                  AND "t3"."status" = $4::text
                                ORDER BY
                                  "t3"."total" DESC,
                                  ("t3"."id" COLLATE "C")
                                LIMIT
                                  11
                              ) AS "t4"
                            LIMIT
                              1
                            OFFSET
                              + $3::bigint
                          ) THEN 'true'
                          ELSE 'false'
                        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[' || coalesce(
                                '"' || CASE
                                  WHEN scale((array_agg("t4"."total")) [1]) IS NOT NULL THEN round((array_agg("t4"."total")) [1], 2)
                                END || '"',
                                chr(3)
                              ) || ',[' || coalesce(to_json((array_agg("t4"."id")) [1])::text, chr(3)) || ']]' || chr(2)
                            )
                          END,
                          'null'
                        ) || ',"endCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[' || coalesce(
                                '"' || CASE
                                  WHEN scale((array_agg("t4"."total")) [count(*)]) IS NOT NULL THEN round((array_agg("t4"."total")) [count(*)], 2)
                                END || '"',
                                chr(3)
                              ) || ',[' || coalesce(
                                to_json((array_agg("t4"."id")) [count(*)])::text,
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
                            (
                              coalesce(
                                '{"id":"ord_' || "t3"."id" || '","total":',
                                '{"id":' || chr(3) || ',"total":'
                              ) || coalesce(
                                '"' || CASE
                                  WHEN scale("t3"."total") IS NOT NULL THEN round("t3"."total", 2)
                                END || '"}',
                                chr(3) || '}'
                              )
                            ) AS "item",
                            "t3"."total" AS "total",
                            "t3"."id" AS "id"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
                            AND "t3"."status" = $4::text
                          ORDER BY
                            "t3"."total" DESC,
                            ("t3"."id" COLLATE "C")
                          LIMIT
                            11
                        ) AS "t4"
                      LIMIT
                        + $3::bigint
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
