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
                CASE typeof(('ord_' || "t1"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
                END,
                char(3)
              ),
              coalesce(
                ',"total":"' || CASE typeof("t1"."total")
                  WHEN 'integer' THEN CASE
                    WHEN "t1"."total" < 0 THEN '-'
                    ELSE ''
                  END || abs("t1"."total" / 100) || '.' || substr(100 + abs("t1"."total" % 100), 2)
                END || '","status":',
                ',"total":' || char(3) || ',"status":'
              ),
              coalesce(
                CASE
                  WHEN "t1"."status" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN json_quote("t1"."status")
                END,
                char(3)
              ),
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
