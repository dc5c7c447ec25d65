SELECT
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
        ',"number":',
        coalesce(
          CASE typeof("t1"."number")
            WHEN 'text' THEN json_quote("t1"."number")
          END,
          char(3)
        ),
        coalesce(
          ',"total":"' || CASE typeof("t1"."total")
            WHEN 'integer' THEN CASE
              WHEN "t1"."total" < 0 THEN '-'
              ELSE ''
            END || abs("t1"."total" / 100) || '.' || substr(100 + abs("t1"."total" % 100), 2)
          END || '"}',
          ',"total":' || char(3) || '}'
        )
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."number" = ?
    LIMIT
      1
  ) AS "r0"
