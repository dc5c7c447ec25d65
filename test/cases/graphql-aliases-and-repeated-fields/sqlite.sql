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
              '{"id":"prd_',
              "t1"."id",
              '","p":"',
              CASE
                WHEN "t1"."price" < 0 THEN '-'
                ELSE ''
              END,
              abs("t1"."price" / 100),
              '.',
              substr(100 + abs("t1"."price" % 100), 2),
              '"}'
            ) AS "item"
          FROM
            "product" AS "t1"
          ORDER BY
            "t1"."price",
            "t1"."id"
          LIMIT
            + ?
        ) AS "t2"
    ),
    ']}'
  ) AS "r0",
  concat (
    '{"nodes":[',
    (
      SELECT
        coalesce(string_agg ("t6"."item", ','), '')
      FROM
        (
          SELECT
            concat (
              '{"id":"prd_',
              "t5"."id",
              '","p":"',
              CASE
                WHEN "t5"."price" < 0 THEN '-'
                ELSE ''
              END,
              abs("t5"."price" / 100),
              '.',
              substr(100 + abs("t5"."price" % 100), 2),
              '","again":"',
              CASE
                WHEN "t5"."price" < 0 THEN '-'
                ELSE ''
              END,
              abs("t5"."price" / 100),
              '.',
              substr(100 + abs("t5"."price" % 100), 2),
              '"}'
            ) AS "item"
          FROM
            "product" AS "t5"
          ORDER BY
            "t5"."price" DESC,
            "t5"."id"
          LIMIT
            + ?
        ) AS "t6"
    ),
    ']}'
  ) AS "r1"
