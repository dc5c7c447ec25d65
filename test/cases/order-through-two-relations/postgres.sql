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
                WHEN "t4"."order_id" IS NULL
                OR "t4"."position" IS NULL THEN ''
                ELSE concat(
                  to_json(
                    concat(
                      'line_',
                      replace(replace("t4"."order_id", '%', '%25'), '~', '%7E'),
                      '~',
                      "t4"."position"
                    )
                  )::text
                )
              END,
              ',"quantity":',
              coalesce("t4"."quantity"::text, ''),
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
              '0[',
              coalesce(to_json(("t4"."sort" COLLATE "C"))::text, 'null'),
              ',[',
              coalesce(to_json(("t4"."order_id" COLLATE "C"))::text, ''),
              ',',
              coalesce("t4"."position"::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t4"."number" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[',
              coalesce(to_json(("t4"."sort" COLLATE "C"))::text, 'null'),
              ',[',
              coalesce(to_json(("t4"."order_id" COLLATE "C"))::text, ''),
              ',',
              coalesce("t4"."position"::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t4"."number" = CASE
                WHEN "t4"."size" > $3::bigint THEN $4::bigint
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
            WHERE
              TRUE
            ORDER BY
              ("t3"."name" COLLATE "C") DESC NULLS LAST,
              ("t1"."order_id" COLLATE "C"),
              "t1"."position"
            LIMIT
              $5::bigint
          ) AS "t5"
      ) AS "t4"
  ) AS "r0"
