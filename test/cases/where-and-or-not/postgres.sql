SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"ord_' || "t3"."id" || '"', chr(3)),
              ',"total":',
              coalesce(
                CASE
                  WHEN abs("t3"."total") < 'Infinity' THEN '"' || round("t3"."total", 2) || '"'
                END,
                chr(3)
              ),
              ',"status":',
              coalesce(to_json("t3"."status")::text, chr(3)),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number_" <= $1::bigint
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "order" AS "t5"
          WHERE
            (
              (
                "t5"."total" >= $2::numeric
                OR (
                  "t5"."status" = $3::text
                  AND (
                    EXISTS (
                      SELECT
                        1
                      FROM
                        "order_line" AS "t6"
                      WHERE
                        "t6"."order_id" = "t5"."id"
                        AND TRUE
                    )
                  ) IS NOT TRUE
                )
              )
              AND (("t5"."note" IS NULL)) IS NOT TRUE
            )
        ),
        ',"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $4::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t3"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = 1
              AND "t3"."number_" <= $5::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t3"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = CASE
                WHEN "t3"."size" > $6::bigint THEN $7::bigint
                ELSE "t3"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t4".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."total" AS "total",
              "t1"."status" AS "status"
            FROM
              "order" AS "t1"
            WHERE
              (
                (
                  "t1"."total" >= $8::numeric
                  OR (
                    "t1"."status" = $9::text
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
              $10::bigint
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
