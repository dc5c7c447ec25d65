SELECT
  (
    SELECT
      concat (
        '{"__typename":"OrderConnection","edges":[',
        coalesce(
          string_agg (
            concat (
              '{"__typename":"OrderEdge","node":{"__typename":"Order","customer":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN '{"__typename":"Customer"}'
                ELSE 'null'
              END,
              '}}'
            ),
            ','
          ),
          ''
        ),
        '],"pageInfo":{"__typename":"PageInfo"}}'
      )
    FROM
      (
        SELECT
          "t1"."customer_id" AS "customer_id"
        FROM
          "order" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
  ) AS "r0"
