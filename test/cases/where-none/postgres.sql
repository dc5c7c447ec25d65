SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"cus_' || "t3"."id" || '"', chr(3)),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number" <= $1::bigint
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
          WHEN count(*) > $2::bigint THEN 'true'
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
              "t3"."number" = 1
              AND "t3"."number" <= $3::bigint
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
              "t3"."number" = CASE
                WHEN "t3"."size" > $4::bigint THEN $5::bigint
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
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
