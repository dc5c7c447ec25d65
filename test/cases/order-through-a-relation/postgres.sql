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
                WHEN "t3"."id" IS NULL THEN ''
                ELSE concat('"ord_', "t3"."id", '"')
              END,
              ',"number":',
              coalesce(to_json(("t3"."number" COLLATE "C"))::text, ''),
              ',"customer":',
              CASE
                WHEN "t4"."id" IS NOT NULL THEN concat(
                  '{"id":',
                  CASE
                    WHEN "t4"."id" IS NULL THEN ''
                    ELSE concat('"cus_', "t4"."id", '"')
                  END,
                  ',"name":',
                  coalesce(to_json(("t4"."name" COLLATE "C"))::text, ''),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
            ORDER BY
              "t3"."number_"
          ) FILTER (
            WHERE
              "t3"."number_" <= $1::bigint
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
              coalesce(to_json(("t3"."sort" COLLATE "C"))::text, 'null'),
              ',',
              coalesce(to_json(("t3"."number" COLLATE "C"))::text, ''),
              ',[',
              coalesce(to_json(("t3"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t3"."number_" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[',
              coalesce(to_json(("t3"."sort" COLLATE "C"))::text, 'null'),
              ',',
              coalesce(to_json(("t3"."number" COLLATE "C"))::text, ''),
              ',[',
              coalesce(to_json(("t3"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t3"."number_" = CASE
                WHEN "t3"."size" > $3::bigint THEN $4::bigint
                ELSE "t3"."size"
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
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
            WHERE
              TRUE
            ORDER BY
              ("t2"."name" COLLATE "C"),
              ("t1"."number" COLLATE "C") DESC,
              ("t1"."id" COLLATE "C")
            LIMIT
              $5::bigint
          ) AS "t5"
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
