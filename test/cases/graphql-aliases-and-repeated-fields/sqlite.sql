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
              '{"id":',
              coalesce(
                CASE typeof(('prd_' || "t1"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t1"."id"))
                END,
                char(3)
              ),
              coalesce(
                ',"p":"' || CASE typeof("t1"."price")
                  WHEN 'integer' THEN CASE
                    WHEN "t1"."price" < 0 THEN '-'
                    ELSE ''
                  END || abs("t1"."price" / 100) || '.' || substr(100 + abs("t1"."price" % 100), 2)
                END || '"}',
                ',"p":' || char(3) || '}'
              )
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
              '{"id":',
              coalesce(
                CASE typeof(('prd_' || "t5"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t5"."id"))
                END,
                char(3)
              ),
              coalesce(
                ',"p":"' || CASE typeof("t5"."price")
                  WHEN 'integer' THEN CASE
                    WHEN "t5"."price" < 0 THEN '-'
                    ELSE ''
                  END || abs("t5"."price" / 100) || '.' || substr(100 + abs("t5"."price" % 100), 2)
                END || '","again":',
                ',"p":' || char(3) || ',"again":'
              ),
              coalesce(
                '"' || CASE typeof("t5"."price")
                  WHEN 'integer' THEN CASE
                    WHEN "t5"."price" < 0 THEN '-'
                    ELSE ''
                  END || abs("t5"."price" / 100) || '.' || substr(100 + abs("t5"."price" % 100), 2)
                END || '"}',
                char(3) || '}'
              )
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
