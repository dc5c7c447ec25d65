SELECT
  (
    '{"nodes":[' || (
      SELECT
        coalesce(string_agg("t2"."item", ','), '')
      FROM
        (
          SELECT
            *
          FROM
            (
              SELECT
                (
                  '{"id":' || coalesce(
                    to_json(('ord_' || "t1"."id")::text)::text,
                    chr(3)
                  ) || ',"number":' || coalesce(to_json("t1"."number"::text)::text, chr(3)) || ',"customer":' || CASE
                    WHEN "t3"."id" IS NOT NULL THEN (
                      '{"id":' || coalesce(
                        to_json(('cus_' || "t3"."id")::text)::text,
                        chr(3)
                      ) || ',"name":' || coalesce(to_json("t3"."name"::text)::text, chr(3)) || ',"email":' || coalesce(to_json("t3"."email"::text)::text, chr(3)) || '}'
                    )
                    ELSE 'null'
                  END || '}'
                ) AS "item"
              FROM
                "order" AS "t1"
                LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t1"."customer_id"
              ORDER BY
                ("t1"."id" COLLATE "C")
              LIMIT
                11
            ) AS "t2"
          LIMIT
            + $1::bigint
        ) AS "t2"
    ) || ']}'
  ) AS "r0"
