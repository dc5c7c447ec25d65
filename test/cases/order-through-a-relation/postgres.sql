SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t3"."item", ','), '') || (
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
                    "order" AS "t1"
                    LEFT JOIN "customer" AS "t2" ON "t2"."id" = "t1"."customer_id"
                  ORDER BY
                    ("t2"."name" COLLATE "C"),
                    ("t1"."number" COLLATE "C") DESC,
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t3"
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
                  to_json((array_agg("t3"."sort")) [1])::text,
                  'null'
                ) || ',' || coalesce(
                  to_json((array_agg("t3"."number")) [1])::text,
                  chr(3)
                ) || ',[' || coalesce(to_json((array_agg("t3"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  to_json((array_agg("t3"."sort")) [count(*)])::text,
                  'null'
                ) || ',' || coalesce(
                  to_json((array_agg("t3"."number")) [count(*)])::text,
                  chr(3)
                ) || ',[' || coalesce(
                  to_json((array_agg("t3"."id")) [count(*)])::text,
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
                  '{"id":"ord_' || "t1"."id" || '","number":',
                  '{"id":' || chr(3) || ',"number":'
                ) || coalesce(to_json("t1"."number")::text, chr(3)) || ',"customer":' || CASE
                  WHEN "t2"."id" IS NOT NULL THEN (
                    coalesce(
                      '{"id":"cus_' || "t2"."id" || '","name":',
                      '{"id":' || chr(3) || ',"name":'
                    ) || coalesce(to_json("t2"."name")::text, chr(3)) || '}'
                  )
                  ELSE 'null'
                END || '}'
              ) AS "item",
              "t2"."name" AS "sort",
              "t1"."number" AS "number",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
              LEFT JOIN "customer" AS "t2" ON "t2"."id" = "t1"."customer_id"
            ORDER BY
              ("t2"."name" COLLATE "C"),
              ("t1"."number" COLLATE "C") DESC,
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t3"
        LIMIT
          + $1::bigint
      ) AS "t3"
  ) AS "r0"
