SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t8".*,
          row_number() OVER () AS "number"
        FROM
          (
            SELECT
              "t1"."order_id" AS "order_id",
              "t1"."position" AS "position",
              "t1"."quantity" AS "quantity",
              "t1"."product_id" AS "product_id",
              "t4"."name" AS "sort"
            FROM
              "order_line" AS "t1"
              LEFT JOIN "product" AS "t4" ON "t4"."id" = "t1"."product_id"
              AND "t4"."active" = $1::boolean
            WHERE
              "t1"."order_id" IN (
                SELECT
                  "t2"."id"
                FROM
                  "order" AS "t2"
                WHERE
                  "t2"."customer_id" = $2::text
              )
              AND EXISTS (
                SELECT
                  1
                FROM
                  "order" AS "t3"
                WHERE
                  "t3"."id" = "t1"."order_id"
                  AND "t3"."customer_id" = $3::text
                  AND "t3"."status" = $4::text
              )
            ORDER BY
              ("t4"."name" COLLATE "C") DESC,
              ("t1"."order_id" COLLATE "C"),
              "t1"."position"
            LIMIT
              + $5::bigint
          ) AS "t8"
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(
                  (
                    'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || ("t5"."position" | 0)
                  )::text
                )::text,
                chr(3)
              ) || ',"quantity":' || coalesce(
                CASE
                  WHEN "t5"."quantity" BETWEEN -2147483648 AND 2147483647 THEN ("t5"."quantity" | 0)::text
                END,
                chr(3)
              ) || ',"product":' || CASE
                WHEN "t6"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce(
                    to_json(('prd_' || "t6"."id")::text)::text,
                    chr(3)
                  ) || ',"name":' || coalesce(to_json("t6"."name"::text)::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || '}'
            ),
            ','
            ORDER BY
              "t5"."number"
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $6::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t7" AS "t5"
            LIMIT
              1
            OFFSET
              + $7::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t5"."sort"::text)::text, 'null') || ',[' || coalesce(to_json("t5"."order_id"::text)::text, 'null') || ',' || coalesce(
                  CASE
                    WHEN "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t5"."position" | 0)::text
                  END,
                  '["text",' || to_json("t5"."position"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            FROM
              "t7" AS "t5"
            LIMIT
              + $8::bigint
            OFFSET
              + $9::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t5"."sort"::text)::text, 'null') || ',[' || coalesce(to_json("t5"."order_id"::text)::text, 'null') || ',' || coalesce(
                  CASE
                    WHEN "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t5"."position" | 0)::text
                  END,
                  '["text",' || to_json("t5"."position"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t7"
                LIMIT
                  + $10::bigint
              ) AS "t5"
            ORDER BY
              "t5"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t5"."sort"::text)::text, 'null') || ',[' || coalesce(to_json("t5"."order_id"::text)::text, 'null') || ',' || coalesce(
                  CASE
                    WHEN "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t5"."position" | 0)::text
                  END,
                  '["text",' || to_json("t5"."position"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            FROM
              "t7" AS "t5"
            LIMIT
              + $11::bigint
            OFFSET
              0
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t7"
        LIMIT
          + $10::bigint
      ) AS "t5"
      LEFT JOIN "product" AS "t6" ON "t6"."id" = "t5"."product_id"
      AND "t6"."active" = $12::boolean
  ) AS "r0"
