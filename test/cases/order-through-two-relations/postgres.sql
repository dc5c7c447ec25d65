SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce(
                to_json(
                  'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || "t4"."position"
                )::text,
                chr(3)
              ),
              ',"quantity":',
              coalesce("t4"."quantity"::text, chr(3)),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t4"."number" <= $1::bigint
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
              coalesce(to_json("t4"."sort")::text, 'null'),
              ',[',
              coalesce(to_json("t4"."order_id")::text, chr(3)),
              ',',
              coalesce("t4"."position"::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t4"."number" = 1
              AND "t4"."number" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[',
              coalesce(to_json("t4"."sort")::text, 'null'),
              ',[',
              coalesce(to_json("t4"."order_id")::text, chr(3)),
              ',',
              coalesce("t4"."position"::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t4"."number" = CASE
                WHEN "t4"."size" > $4::bigint THEN $5::bigint
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
              "t1"."order_id" AS "order_id",
              "t1"."position" AS "position",
              "t1"."quantity" AS "quantity",
              "t3"."name" AS "sort"
            FROM
              "order_line" AS "t1"
              LEFT JOIN "product" AS "t2" ON "t2"."id" = "t1"."product_id"
              LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
            ORDER BY
              ("t3"."name" COLLATE "C") DESC NULLS LAST,
              ("t1"."order_id" COLLATE "C"),
              "t1"."position"
            LIMIT
              $6::bigint
          ) AS "t5"
      ) AS "t4"
  ) AS "r0"
