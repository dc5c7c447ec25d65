SELECT
  concat (
    '{"nodes":[',
    (
      SELECT
        coalesce(string_agg ("t2"."item", ','), '')
      FROM
        (
          SELECT
            concat (
              '{"id":"ord_',
              "t1"."id",
              '","total":"',
              CASE
                WHEN "t1"."total" < 0 THEN '-'
                ELSE ''
              END,
              abs("t1"."total" / 100),
              '.',
              substr(100 + abs("t1"."total" % 100), 2),
              '","status":',
              json_quote("t1"."status"),
              '}'
            ) AS "item"
          FROM
            "order" AS "t1"
          ORDER BY
            "t1"."id"
          LIMIT
            + ?
        ) AS "t2"
    ),
    ']}'
  ) AS "r0"
