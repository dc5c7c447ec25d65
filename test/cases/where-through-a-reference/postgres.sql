SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t3"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "order" AS "t4"
            WHERE
              "t4"."id" IN (
                SELECT
                  "t5"."order_id"
                FROM
                  "order_line" AS "t5"
                WHERE
                  (
                    "t5"."quantity" > $1::integer
                    AND "t5"."product_id" = $2::text
                  )
              )
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
                    "order" AS "t1"
                  WHERE
                    "t1"."id" IN (
                      SELECT
                        "t2"."order_id"
                      FROM
                        "order_line" AS "t2"
                      WHERE
                        (
                          "t2"."quantity" > $4::integer
                          AND "t2"."product_id" = $5::text
                        )
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t3"
              LIMIT
                1
              OFFSET
                + $3::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(to_json((array_agg("t3"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t3"."id")) [count(*)])::text,
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
              "t1"."id" IN (
                SELECT
                  "t2"."order_id"
                FROM
                  "order_line" AS "t2"
                WHERE
                  (
                    "t2"."quantity" > $4::integer
                    AND "t2"."product_id" = $5::text
                  )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t3"
        LIMIT
          + $3::bigint
      ) AS "t3"
  ) AS "r0"
