SELECT
  (
    SELECT
      concat (
        '{"edges":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"nodes":[',
        coalesce(string_agg ("t2"."item2", ','), ''),
        '],"more":[',
        coalesce(string_agg ("t2"."item3", ','), ''),
        ']}'
      )
    FROM
      (
        SELECT
          concat (
            '{"node":{"id":',
            coalesce(
              CASE typeof(('prd_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('prd_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"slug":',
            coalesce(
              CASE typeof("t1"."slug")
                WHEN 'text' THEN json_quote("t1"."slug")
              END,
              char(3)
            ),
            '}}'
          ) AS "item",
          concat (
            '{"slug":',
            coalesce(
              CASE typeof("t1"."slug")
                WHEN 'text' THEN json_quote("t1"."slug")
              END,
              char(3)
            ),
            '}'
          ) AS "item2",
          coalesce(
            '{"node":{"price":"' || CASE typeof("t1"."price")
              WHEN 'integer' THEN CASE
                WHEN "t1"."price" < 0 THEN '-'
                ELSE ''
              END || abs("t1"."price" / 100) || '.' || substr(100 + abs("t1"."price" % 100), 2)
            END || '"}}',
            '{"node":{"price":' || char(3) || '}}'
          ) AS "item3"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
