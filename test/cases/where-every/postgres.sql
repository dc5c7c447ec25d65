SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "order" AS "t5"
            WHERE
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t6"
                  WHERE
                    "t6"."order_id" = "t5"."id"
                    AND TRUE
                )
                AND NOT EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t7"
                  WHERE
                    "t7"."order_id" = "t5"."id"
                    AND (("t7"."gift_message" IS NOT NULL)) IS NOT TRUE
                )
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
                    "order" AS "t1"
                  WHERE
                    (
                      EXISTS (
                        SELECT
                          1
                        FROM
                          "order_line" AS "t2"
                        WHERE
                          "t2"."order_id" = "t1"."id"
                          AND TRUE
                      )
                      AND NOT EXISTS (
                        SELECT
                          1
                        FROM
                          "order_line" AS "t3"
                        WHERE
                          "t3"."order_id" = "t1"."id"
                          AND (("t3"."gift_message" IS NOT NULL)) IS NOT TRUE
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
                + $1::bigint
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
                '{"id":"ord_' || "t1"."id" || '"}',
                '{"id":' || chr(3) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t2"
                  WHERE
                    "t2"."order_id" = "t1"."id"
                    AND TRUE
                )
                AND NOT EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t3"
                  WHERE
                    "t3"."order_id" = "t1"."id"
                    AND (("t3"."gift_message" IS NOT NULL)) IS NOT TRUE
                )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t4"
        LIMIT
          + $1::bigint
      ) AS "t4"
  ) AS "r0"
