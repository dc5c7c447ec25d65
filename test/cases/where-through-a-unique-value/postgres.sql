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
              "t4"."customer_id" = (
                SELECT
                  "t5"."id"
                FROM
                  "customer" AS "t5"
                WHERE
                  "t5"."email" = $1::text
                LIMIT
                  1
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
                    "order" AS "t1"
                  WHERE
                    "t1"."customer_id" = (
                      SELECT
                        "t2"."id"
                      FROM
                        "customer" AS "t2"
                      WHERE
                        "t2"."email" = $3::text
                      LIMIT
                        1
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t3"
              LIMIT
                1
              OFFSET
                + $2::bigint
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
              "t1"."customer_id" = (
                SELECT
                  "t2"."id"
                FROM
                  "customer" AS "t2"
                WHERE
                  "t2"."email" = $3::text
                LIMIT
                  1
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t3"
        LIMIT
          + $2::bigint
      ) AS "t3"
  ) AS "r0"
