SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (concat ('{"id":"cus_', "t4"."id", '"}'), ',') FILTER (
            WHERE
              "t4"."number" <= ?
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "customer" AS "t6"
          WHERE
            EXISTS (
              SELECT
                1
              FROM
                "order" AS "t7"
              WHERE
                "t7"."customer_id" = "t6"."id"
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t8"
                  WHERE
                    "t8"."order_id" = "t7"."id"
                    AND "t8"."quantity" > ?
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
              json_quote("t4"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t4"."number" = 1
              AND "t4"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t4"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t4"."number" = CASE
                WHEN "t4"."size" > ? THEN ?
                ELSE "t4"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t5".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
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
                      AND "t3"."quantity" > ?
                  )
              )
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t5"
      ) AS "t4"
  ) AS "r0"
