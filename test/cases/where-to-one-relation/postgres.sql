SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              CASE
                WHEN "t3"."id" IS NULL THEN ''
                ELSE concat('"ord_', "t3"."id", '"')
              END,
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
              '0[[',
              coalesce(to_json(("t3"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t3"."number_" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[[',
              coalesce(to_json(("t3"."id" COLLATE "C"))::text, ''),
              ']]'
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
                    right(("t2"."email" COLLATE "C"), length($8::text)) = $9::text
                    AND "t2"."newsletter" = $10::boolean
                  )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $11::bigint
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
