SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":',
              json_quote(
                'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || "t4"."position"
              ),
              ',"quantity":',
              "t4"."quantity",
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t4"."number" <= ?
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[',
              coalesce(json_quote("t4"."sort"), 'null'),
              ',[',
              json_quote("t4"."order_id"),
              ',',
              "t4"."position",
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
              '0[',
              coalesce(json_quote("t4"."sort"), 'null'),
              ',[',
              json_quote("t4"."order_id"),
              ',',
              "t4"."position",
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
              "t1"."order_id" AS "order_id",
              "t1"."position" AS "position",
              "t1"."quantity" AS "quantity",
              "t3"."name" AS "sort"
            FROM
              "order_line" AS "t1"
              LEFT JOIN "product" AS "t2" ON "t2"."id" = "t1"."product_id"
              LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
            ORDER BY
              "t3"."name" DESC,
              "t1"."order_id",
              "t1"."position"
            LIMIT
              ?
          ) AS "t5"
      ) AS "t4"
  ) AS "r0"
