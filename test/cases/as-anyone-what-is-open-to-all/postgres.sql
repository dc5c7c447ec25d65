SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t5".*,
          row_number() OVER () AS "number"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."name" AS "name",
              "t1"."price" AS "price",
              "t1"."category_id" AS "category_id"
            FROM
              "product" AS "t1"
            WHERE
              "t1"."active" = $1::boolean
              AND strpos(("t1"."name" COLLATE "C"), $2::text) > 0
            ORDER BY
              "t1"."price" DESC,
              ("t1"."id" COLLATE "C")
            LIMIT
              + $3::bigint
          ) AS "t5"
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('prd_' || "t2"."id")::text)::text,
                chr(3)
              ) || ',"name":' || coalesce(to_json("t2"."name"::text)::text, chr(3)) || coalesce(
                ',"price":"' || CASE
                  WHEN scale("t2"."price") IS NOT NULL THEN round("t2"."price", 2)
                END || '","category":',
                ',"price":' || chr(3) || ',"category":'
              ) || CASE
                WHEN "t3"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce(
                    to_json(('cat_' || "t3"."id")::text)::text,
                    chr(3)
                  ) || ',"name":' || coalesce(to_json("t3"."name"::text)::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || '}'
            ),
            ','
            ORDER BY
              "t2"."number"
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $4::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t4" AS "t2"
            LIMIT
              1
            OFFSET
              + $5::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."price") IS NOT NULL THEN round("t2"."price", 2)
                  END || '"',
                  '["text",' || to_json("t2"."price"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t2"
            LIMIT
              + $6::bigint
            OFFSET
              + $7::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."price") IS NOT NULL THEN round("t2"."price", 2)
                  END || '"',
                  '["text",' || to_json("t2"."price"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + $8::bigint
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."price") IS NOT NULL THEN round("t2"."price", 2)
                  END || '"',
                  '["text",' || to_json("t2"."price"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t2"
            LIMIT
              + $9::bigint
            OFFSET
              0
          ),
          'null'
        ) || '},"totalCount":' || (
          SELECT
            count(*)
          FROM
            "product" AS "t6"
          WHERE
            "t6"."active" = $10::boolean
            AND strpos(("t6"."name" COLLATE "C"), $11::text) > 0
        ) || '}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t4"
        LIMIT
          + $8::bigint
      ) AS "t2"
      LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
  ) AS "r0"
