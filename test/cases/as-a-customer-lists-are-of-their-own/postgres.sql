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
                    "order" AS "t1"
                  WHERE
                    "t1"."customer_id" = $2::text
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
          END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '},"totalCount":' || (
            SELECT
              count(*)
            FROM
              "order" AS "t7"
            WHERE
              "t7"."customer_id" = $3::text
          ) || '}'
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
                  to_json(('ord_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"number":' || coalesce(to_json("t1"."number"::text)::text, chr(3)) || ',"customer":' || CASE
                  WHEN "t3"."id" IS NOT NULL THEN (
                    '{"id":' || coalesce(
                      to_json(('cus_' || "t3"."id")::text)::text,
                      chr(3)
                    ) || ',"name":' || coalesce(to_json("t3"."name"::text)::text, chr(3)) || '}'
                  )
                  ELSE 'null'
                END || ',"lines":' || (
                  SELECT
                    (
                      '{"nodes":[' || coalesce(string_agg("t6"."item", ','), '') || (
                        '],"pageInfo":{"hasNextPage":' || CASE
                          WHEN count(*) = + $4::bigint
                          AND EXISTS (
                            SELECT
                              1
                            FROM
                              (
                                SELECT
                                  1
                                FROM
                                  "order_line" AS "t4"
                                WHERE
                                  "t4"."order_id" IN (
                                    SELECT
                                      "t5"."id"
                                    FROM
                                      "order" AS "t5"
                                    WHERE
                                      "t5"."customer_id" = $5::text
                                  )
                                  AND "t4"."order_id" = "t1"."id"
                                ORDER BY
                                  ("t4"."order_id" COLLATE "C"),
                                  "t4"."position"
                                LIMIT
                                  11
                              ) AS "t6"
                            LIMIT
                              1
                            OFFSET
                              + $4::bigint
                          ) THEN 'true'
                          ELSE 'false'
                        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
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
                        ) || ',"startCursor":' || coalesce(
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
                                    'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || ("t4"."position" | 0)
                                  )::text
                                )::text,
                                chr(3)
                              ) || ',"position":' || coalesce(
                                CASE
                                  WHEN "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t4"."position" | 0)::text
                                END,
                                chr(3)
                              ) || '}'
                            ) AS "item",
                            "t4"."order_id" AS "order_id",
                            "t4"."position" AS "position"
                          FROM
                            "order_line" AS "t4"
                          WHERE
                            "t4"."order_id" IN (
                              SELECT
                                "t5"."id"
                              FROM
                                "order" AS "t5"
                              WHERE
                                "t5"."customer_id" = $5::text
                            )
                            AND "t4"."order_id" = "t1"."id"
                          ORDER BY
                            ("t4"."order_id" COLLATE "C"),
                            "t4"."position"
                          LIMIT
                            11
                        ) AS "t6"
                      LIMIT
                        + $4::bigint
                    ) AS "t6"
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
              LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t1"."customer_id"
              AND "t3"."id" = $6::text
            WHERE
              "t1"."customer_id" = $2::text
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
