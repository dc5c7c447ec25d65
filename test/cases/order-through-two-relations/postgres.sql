SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $1::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t1"
                    LEFT JOIN "product" AS "t2" ON "t2"."id" = "t1"."product_id"
                    LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
                  ORDER BY
                    ("t3"."name" COLLATE "C") DESC NULLS LAST,
                    ("t1"."order_id" COLLATE "C"),
                    "t1"."position"
                  LIMIT
                    11
                ) AS "t4"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  to_json((array_agg("t4"."sort")) [1])::text,
                  'null'
                ) || ',[' || coalesce(
                  to_json((array_agg("t4"."order_id")) [1])::text,
                  chr(3)
                ) || ',' || coalesce((array_agg("t4"."position")) [1]::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  to_json((array_agg("t4"."sort")) [count(*)])::text,
                  'null'
                ) || ',[' || coalesce(
                  to_json((array_agg("t4"."order_id")) [count(*)])::text,
                  chr(3)
                ) || ',' || coalesce(
                  (array_agg("t4"."position")) [count(*)]::text,
                  chr(3)
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '}}'
        )
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              (
                coalesce(
                  '{"id":' || to_json(
                    'line_' || replace(replace("t1"."order_id", '%', '%25'), '~', '%7E') || '~' || "t1"."position"
                  )::text || ',"quantity":',
                  '{"id":' || chr(3) || ',"quantity":'
                ) || coalesce("t1"."quantity"::text, chr(3)) || '}'
              ) AS "item",
              "t3"."name" AS "sort",
              "t1"."order_id" AS "order_id",
              "t1"."position" AS "position"
            FROM
              "order_line" AS "t1"
              LEFT JOIN "product" AS "t2" ON "t2"."id" = "t1"."product_id"
              LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
            ORDER BY
              ("t3"."name" COLLATE "C") DESC NULLS LAST,
              ("t1"."order_id" COLLATE "C"),
              "t1"."position"
            LIMIT
              11
          ) AS "t4"
        LIMIT
          + $1::bigint
      ) AS "t4"
  ) AS "r0"
