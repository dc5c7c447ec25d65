SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "customer" AS "t5"
            WHERE
              EXISTS (
                SELECT
                  1
                FROM
                  "order" AS "t6"
                WHERE
                  "t6"."customer_id" = "t5"."id"
                  AND EXISTS (
                    SELECT
                      1
                    FROM
                      "order_line" AS "t7"
                    WHERE
                      "t7"."order_id" = "t6"."id"
                      AND "t7"."quantity" > $1::integer
                  )
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $2::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "customer" AS "t1"
                  WHERE
                    EXISTS (
                      SELECT
                        1
                      FROM
                        "order" AS "t2"
                      WHERE
                        "t2"."customer_id" = "t1"."id"
                        AND EXISTS (
                          SELECT
                            1
                          FROM
                            "order_line" AS "t3"
                          WHERE
                            "t3"."order_id" = "t2"."id"
                            AND "t3"."quantity" > $3::integer
                        )
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
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
                chr(1) || '0[[' || coalesce(to_json((array_agg("t4"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
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
              coalesce(
                '{"id":"cus_' || "t1"."id" || '"}',
                '{"id":' || chr(3) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            WHERE
              EXISTS (
                SELECT
                  1
                FROM
                  "order" AS "t2"
                WHERE
                  "t2"."customer_id" = "t1"."id"
                  AND EXISTS (
                    SELECT
                      1
                    FROM
                      "order_line" AS "t3"
                    WHERE
                      "t3"."order_id" = "t2"."id"
                      AND "t3"."quantity" > $3::integer
                  )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t4"
        LIMIT
          + $2::bigint
      ) AS "t4"
  ) AS "r0"
