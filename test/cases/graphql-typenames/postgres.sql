SELECT
  (
    SELECT
      (
        '{"__typename":"OrderConnection","edges":[' || coalesce(
          string_agg(
            (
              '{"__typename":"OrderEdge","node":{"__typename":"Order","customer":' || CASE
                WHEN "t3"."id" IS NOT NULL THEN '{"__typename":"Customer"}'
                ELSE 'null'
              END || '}}'
            ),
            ','
            ORDER BY
              "t2"."number_"
          ),
          ''
        ) || '],"pageInfo":{"__typename":"PageInfo"}}'
      )
    FROM
      (
        SELECT
          "t4".*,
          row_number() OVER () AS "number_"
        FROM
          (
            SELECT
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
