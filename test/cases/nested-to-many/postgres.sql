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
                chr(1) || '1[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
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
                  to_json(('ord_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"lines":' || (
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
                                  "order_line" AS "t3"
                                WHERE
                                  "t3"."order_id" = "t1"."id"
                                ORDER BY
                                  ("t3"."order_id" COLLATE "C"),
                                  "t3"."position"
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
                              chr(1) || '0[[' || coalesce(
                                to_json((array_agg("t4"."order_id")) [1]::text)::text,
                                'null'
                              ) || ',' || coalesce(
                                CASE
                                  WHEN (array_agg("t4"."position")) [1] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t4"."position")) [1] | 0)::text
                                END,
                                '["text",' || to_json((array_agg("t4"."position")) [1]::text)::text || ']',
                                'null'
                              ) || ']]' || chr(2)
                            )
                          END,
                          'null'
                        ) || ',"endCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[[' || coalesce(
                                to_json((array_agg("t4"."order_id")) [count(*)]::text)::text,
                                'null'
                              ) || ',' || coalesce(
                                CASE
                                  WHEN (array_agg("t4"."position")) [count(*)] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t4"."position")) [count(*)] | 0)::text
                                END,
                                '["text",' || to_json((array_agg("t4"."position")) [count(*)]::text)::text || ']',
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
                                    'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || ("t3"."position" | 0)
                                  )::text
                                )::text,
                                chr(3)
                              ) || ',"quantity":' || coalesce(
                                CASE
                                  WHEN "t3"."quantity" BETWEEN -2147483648 AND 2147483647 THEN ("t3"."quantity" | 0)::text
                                END,
                                chr(3)
                              ) || '}'
                            ) AS "item",
                            "t3"."order_id" AS "order_id",
                            "t3"."position" AS "position"
                          FROM
                            "order_line" AS "t3"
                          WHERE
                            "t3"."order_id" = "t1"."id"
                          ORDER BY
                            ("t3"."order_id" COLLATE "C"),
                            "t3"."position"
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
              "order" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
