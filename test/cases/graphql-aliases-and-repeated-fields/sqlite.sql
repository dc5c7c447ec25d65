SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"prd_',
              "t2"."id",
              '","p":',
              CASE
                WHEN "t2"."price" >= 0 THEN '"' || ("t2"."price" / 100) || '.' || substr(100 + ("t2"."price" % 100), 2) || '"'
                ELSE '"-' || - ("t2"."price" / 100) || '.' || substr(100 - ("t2"."price" % 100), 2) || '"'
              END,
              '}'
            ),
            ','
          ),
          ''
        ),
        ']}'
      )
    FROM
      (
        SELECT
          "t1"."id" AS "id",
          "t1"."price" AS "price"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."price",
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0",
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"prd_',
              "t5"."id",
              '","p":',
              CASE
                WHEN "t5"."price" >= 0 THEN '"' || ("t5"."price" / 100) || '.' || substr(100 + ("t5"."price" % 100), 2) || '"'
                ELSE '"-' || - ("t5"."price" / 100) || '.' || substr(100 - ("t5"."price" % 100), 2) || '"'
              END,
              ',"again":',
              CASE
                WHEN "t5"."price" >= 0 THEN '"' || ("t5"."price" / 100) || '.' || substr(100 + ("t5"."price" % 100), 2) || '"'
                ELSE '"-' || - ("t5"."price" / 100) || '.' || substr(100 - ("t5"."price" % 100), 2) || '"'
              END,
              '}'
            ),
            ','
          ),
          ''
        ),
        ']}'
      )
    FROM
      (
        SELECT
          "t4"."id" AS "id",
          "t4"."price" AS "price"
        FROM
          "product" AS "t4"
        ORDER BY
          "t4"."price" DESC,
          "t4"."id"
        LIMIT
          + ?
      ) AS "t5"
  ) AS "r1"
