SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"ord_',
              "t3"."id",
              '","total":',
              '"' || CASE
                WHEN "t3"."total" < 0 THEN '-'
                ELSE ''
              END || abs("t3"."total" / 100) || '.' || substr('00' || abs("t3"."total" % 100), -2) || '"',
              ',"status":',
              json_quote("t3"."status"),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number_" <= ?
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
                "t5"."total" >= ?
                OR (
                  "t5"."status" = ?
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
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t3"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = 1
              AND "t3"."number_" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t3"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = CASE
                WHEN "t3"."size" > ? THEN ?
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
                  "t1"."total" >= ?
                  OR (
                    "t1"."status" = ?
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
              "t1"."id"
            LIMIT
              ?
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
