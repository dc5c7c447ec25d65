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
              '"' || CASE
                WHEN "t2"."price" < 0 THEN '-'
                ELSE ''
              END || abs("t2"."price" / 100) || '.' || substr('00' || abs("t2"."price" % 100), -2) || '"',
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
          ?
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
              "t4"."id",
              '","p":',
              '"' || CASE
                WHEN "t4"."price" < 0 THEN '-'
                ELSE ''
              END || abs("t4"."price" / 100) || '.' || substr('00' || abs("t4"."price" % 100), -2) || '"',
              ',"again":',
              '"' || CASE
                WHEN "t4"."price" < 0 THEN '-'
                ELSE ''
              END || abs("t4"."price" / 100) || '.' || substr('00' || abs("t4"."price" % 100), -2) || '"',
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
          "t3"."id" AS "id",
          "t3"."price" AS "price"
        FROM
          "product" AS "t3"
        ORDER BY
          "t3"."price" DESC,
          "t3"."id"
        LIMIT
          ?
      ) AS "t4"
  ) AS "r1"
