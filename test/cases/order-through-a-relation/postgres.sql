SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t6".*,
          row_number() OVER () AS "number_"
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
              + $1::bigint
          ) AS "t6"
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('ord_' || "t3"."id")::text)::text,
                chr(3)
              ) || ',"number":' || coalesce(to_json("t3"."number"::text)::text, chr(3)) || ',"customer":' || CASE
                WHEN "t4"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce(
                    to_json(('cus_' || "t4"."id")::text)::text,
                    chr(3)
                  ) || ',"name":' || coalesce(to_json("t4"."name"::text)::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || '}'
            ),
            ','
            ORDER BY
              "t3"."number_"
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $2::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t5" AS "t3"
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
                chr(1) || '0[' || coalesce(to_json("t3"."sort"::text)::text, 'null') || ',' || coalesce(to_json("t3"."number"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t5" AS "t3"
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
                chr(1) || '0[' || coalesce(to_json("t3"."sort"::text)::text, 'null') || ',' || coalesce(to_json("t3"."number"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t5" AS "t3"
            LIMIT
              + $5::bigint
            OFFSET
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."sort"::text)::text, 'null') || ',' || coalesce(to_json("t3"."number"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t5"
                LIMIT
                  + $7::bigint
              ) AS "t3"
            ORDER BY
              "t3"."number_" DESC
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
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
