SELECT
  (
    SELECT
      concat (
        '{"id":',
        coalesce(
          CASE typeof(('cus_' || "t1"."id"))
            WHEN 'text' THEN json_quote(('cus_' || "t1"."id"))
          END,
          char(3)
        ),
        ',"name":',
        coalesce(
          CASE typeof("t1"."name")
            WHEN 'text' THEN json_quote("t1"."name")
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "customer" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
