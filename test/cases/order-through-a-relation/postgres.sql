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
              ',"number":',
              coalesce(to_json("t3"."number")::text, chr(3)),
              ',"customer":',
              CASE
                WHEN "t4"."id" IS NOT NULL THEN concat(
                  '{"id":',
                  coalesce('"cus_' || "t4"."id" || '"', chr(3)),
                  ',"name":',
                  coalesce(to_json("t4"."name")::text, chr(3)),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
            ORDER BY
              "t3"."number_"
          ) FILTER (
            WHERE
              "t3"."number_" <= $1::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $2::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[',
              coalesce(to_json("t3"."sort")::text, 'null'),
              ',',
              coalesce(to_json("t3"."number")::text, chr(3)),
              ',[',
              coalesce(to_json("t3"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = 1
              AND "t3"."number_" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[',
              coalesce(to_json("t3"."sort")::text, 'null'),
              ',',
              coalesce(to_json("t3"."number")::text, chr(3)),
              ',[',
              coalesce(to_json("t3"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t3"."number_" = CASE
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
          "t5".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."number" AS "number",
              "t1"."customer_id" AS "customer_id",
              "t2"."name" AS "sort"
            FROM
              "order" AS "t1"
              LEFT JOIN "customer" AS "t2" ON "t2"."id" = "t1"."customer_id"
            ORDER BY
              ("t2"."name" COLLATE "C"),
              ("t1"."number" COLLATE "C") DESC,
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t5"
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
