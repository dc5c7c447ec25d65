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
            EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t6"
              WHERE
                "t6"."id" = "t5"."customer_id"
                AND (
                  right(("t6"."email" COLLATE "C"), length($2::text)) = $3::text
                  AND "t6"."newsletter" = $4::boolean
                )
            )
        ),
        ',"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $5::bigint THEN 'true'
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
              AND "t3"."number_" <= $6::bigint
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
                WHEN "t3"."size" > $7::bigint THEN $8::bigint
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
                    right(("t2"."email" COLLATE "C"), length($9::text)) = $10::text
                    AND "t2"."newsletter" = $11::boolean
                  )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $12::bigint
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
