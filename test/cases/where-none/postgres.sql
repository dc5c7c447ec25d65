SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t3"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "customer" AS "t4"
            WHERE
              NOT EXISTS (
                SELECT
                  1
                FROM
                  "order" AS "t5"
                WHERE
                  "t5"."customer_id" = "t4"."id"
                  AND TRUE
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
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
                  WHERE
                    NOT EXISTS (
                      SELECT
                        1
                      FROM
                        "order" AS "t2"
                      WHERE
                        "t2"."customer_id" = "t1"."id"
                        AND TRUE
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t3"
              LIMIT
                1
              OFFSET
                + $1::bigint
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
                '{"id":"cus_' || "t1"."id" || '"}',
                '{"id":' || chr(3) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            WHERE
              NOT EXISTS (
                SELECT
                  1
                FROM
                  "order" AS "t2"
                WHERE
                  "t2"."customer_id" = "t1"."id"
                  AND TRUE
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t3"
        LIMIT
          + $1::bigint
      ) AS "t3"
  ) AS "r0"
