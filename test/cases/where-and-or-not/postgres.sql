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
              (
                (
                  "t4"."total" >= $1::numeric
                  OR (
                    "t4"."status" = $2::text
                    AND (
                      EXISTS (
                        SELECT
                          1
                        FROM
                          "order_line" AS "t5"
                        WHERE
                          "t5"."order_id" = "t4"."id"
                          AND TRUE
                      )
                    ) IS NOT TRUE
                  )
                )
                AND (("t4"."note" IS NULL)) IS NOT TRUE
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
                    (
                      (
                        "t1"."total" >= $4::numeric
                        OR (
                          "t1"."status" = $5::text
                          AND (
                            EXISTS (
                              SELECT
                                1
                              FROM
                                "order_line" AS "t2"
                              WHERE
                                "t2"."order_id" = "t1"."id"
                                AND TRUE
                            )
                          ) IS NOT TRUE
                        )
                      )
                      AND (("t1"."note" IS NULL)) IS NOT TRUE
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
              (
                coalesce(
                  '{"id":"ord_' || "t1"."id" || '","total":',
                  '{"id":' || chr(3) || ',"total":'
                ) || coalesce(
                  '"' || CASE
                    WHEN scale("t1"."total") IS NOT NULL THEN round("t1"."total", 2)
                  END || '","status":',
                  chr(3) || ',"status":'
                ) || coalesce(to_json("t1"."status")::text, chr(3)) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              (
                (
                  "t1"."total" >= $4::numeric
                  OR (
                    "t1"."status" = $5::text
                    AND (
                      EXISTS (
                        SELECT
                          1
                        FROM
                          "order_line" AS "t2"
                        WHERE
                          "t2"."order_id" = "t1"."id"
                          AND TRUE
                      )
                    ) IS NOT TRUE
                  )
                )
                AND (("t1"."note" IS NULL)) IS NOT TRUE
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
