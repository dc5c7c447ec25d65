SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (concat ('{"id":"ord_', "t3"."id", '"}'), ',') FILTER (
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
            EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t6"
              WHERE
                "t6"."id" = "t5"."customer_id"
                AND (
                  (
                    ? = ''
                    AND "t6"."email" IS NOT NULL
                    OR substr("t6"."email", - length(?)) = ?
                  )
                  AND "t6"."newsletter" = ?
                )
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
                    (
                      ? = ''
                      AND "t2"."email" IS NOT NULL
                      OR substr("t2"."email", - length(?)) = ?
                    )
                    AND "t2"."newsletter" = ?
                  )
              )
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
