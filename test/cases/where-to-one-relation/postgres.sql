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
              EXISTS (
                SELECT
                  1
                FROM
                  "customer" AS "t5"
                WHERE
                  "t5"."id" = "t4"."customer_id"
                  AND (
                    right(("t5"."email" COLLATE "C"), length($1::text)) = $2::text
                    AND "t5"."newsletter" = $3::boolean
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
                    EXISTS (
                      SELECT
                        1
                      FROM
                        "customer" AS "t2"
                      WHERE
                        "t2"."id" = "t1"."customer_id"
                        AND (
                          right(("t2"."email" COLLATE "C"), length($5::text)) = $6::text
                          AND "t2"."newsletter" = $7::boolean
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
                + $4::bigint
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
              EXISTS (
                SELECT
                  1
                FROM
                  "customer" AS "t2"
                WHERE
                  "t2"."id" = "t1"."customer_id"
                  AND (
                    right(("t2"."email" COLLATE "C"), length($5::text)) = $6::text
                    AND "t2"."newsletter" = $7::boolean
                  )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t3"
        LIMIT
          + $4::bigint
      ) AS "t3"
  ) AS "r0"
