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
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
