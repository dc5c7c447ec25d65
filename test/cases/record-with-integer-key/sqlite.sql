SELECT
  (
    SELECT
      concat (
        coalesce(
          '{"id":"exhibit_' || CASE
            WHEN typeof("t1"."id") = 'integer'
            AND "t1"."id" BETWEEN -2147483648 AND 2147483647 THEN "t1"."id"
          END || '","title":',
          '{"id":' || char(3) || ',"title":'
        ),
        coalesce(
          CASE typeof("t1"."title")
            WHEN 'text' THEN json_quote("t1"."title")
          END,
          char(3)
        ),
        ',"floor":',
        coalesce(
          CASE
            WHEN typeof("t1"."floor") = 'integer'
            AND "t1"."floor" BETWEEN -2147483648 AND 2147483647 THEN "t1"."floor"
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "exhibit" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
