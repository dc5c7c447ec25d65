SELECT
  concat (
    '{"__typename":"OrderConnection","edges":[',
    (
      SELECT
        coalesce(string_agg ("t2"."item", ','), '')
      FROM
        (
          SELECT
            concat (
              '{"__typename":"OrderEdge","node":{"__typename":"Order","customer":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN '{"__typename":"Customer"}'
                ELSE 'null'
              END,
              '}}'
            ) AS "item"
          FROM
            "order" AS "t1"
            LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t1"."customer_id"
          ORDER BY
            "t1"."id"
          LIMIT
            + ?
        ) AS "t2"
    ),
    '],"pageInfo":{"__typename":"PageInfo"}}'
  ) AS "r0"
