SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
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
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(
                  (
                    'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || ("t4"."position" | 0)
                  )::text
                )::text,
                chr(3)
              ) || ',"quantity":' || coalesce(
                CASE
                  WHEN "t4"."quantity" BETWEEN -2147483648 AND 2147483647 THEN ("t4"."quantity" | 0)::text
                END,
                chr(3)
              ) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $2::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t5" AS "t4"
            LIMIT
              1
            OFFSET
              + $3::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t4"."sort"::text)::text, 'null') || ',[' || coalesce(to_json("t4"."order_id"::text)::text, 'null') || ',' || coalesce(
                  CASE
                    WHEN "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t4"."position" | 0)::text
                  END,
                  '["text",' || to_json("t4"."position"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            FROM
              "t5" AS "t4"
            LIMIT
              + $4::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t4"."sort"::text)::text, 'null') || ',[' || coalesce(to_json("t4"."order_id"::text)::text, 'null') || ',' || coalesce(
                  CASE
                    WHEN "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t4"."position" | 0)::text
                  END,
                  '["text",' || to_json("t4"."position"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            FROM
              "t5" AS "t4"
            LIMIT
              + $5::bigint
            OFFSET
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t4"."sort"::text)::text, 'null') || ',[' || coalesce(to_json("t4"."order_id"::text)::text, 'null') || ',' || coalesce(
                  CASE
                    WHEN "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t4"."position" | 0)::text
                  END,
                  '["text",' || to_json("t4"."position"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t6".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + $7::bigint
                  ) AS "t6"
              ) AS "t4"
            ORDER BY
              "t4"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t5"
        LIMIT
          + $7::bigint
      ) AS "t4"
  ) AS "r0"
