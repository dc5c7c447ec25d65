SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"ord_' || "t2"."id" || '"', chr(3)) || ',"number":' || coalesce(to_json("t2"."number")::text, chr(3)) || ',"customer":' || CASE
                WHEN "t3"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce('"cus_' || "t3"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t3"."name")::text, chr(3)) || ',"email":' || coalesce(to_json("t3"."email")::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || '}'
            ),
            ','
            ORDER BY
              "t2"."number_"
          ),
          ''
        ) || ']}'
      )
    FROM
      (
        SELECT
          "t4".*,
          row_number() OVER () AS "number_"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."number" AS "number",
              "t1"."customer_id" AS "customer_id"
            FROM
              "order" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              + $1::bigint
          ) AS "t4"
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
  ) AS "r0"
