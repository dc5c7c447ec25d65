SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (concat ('{"id":"cus_', "t3"."id", '"}'), ',') FILTER (
            WHERE
              "t3"."number" <= ?
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "customer" AS "t5"
          WHERE
            NOT EXISTS (
              SELECT
                1
              FROM
                "order" AS "t6"
              WHERE
                "t6"."customer_id" = "t5"."id"
                AND TRUE
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
              "t3"."number" = 1
              AND "t3"."number" <= ?
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
              "t3"."number" = CASE
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
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
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
              "t1"."id"
            LIMIT
              ?
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
