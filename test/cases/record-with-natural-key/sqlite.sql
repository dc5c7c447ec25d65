SELECT
  (
    SELECT
      concat (
        '{"id":',
        coalesce(
          CASE typeof(('tag_' || "t1"."name"))
            WHEN 'text' THEN json_quote(('tag_' || "t1"."name"))
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
        ',"featured":',
        coalesce(
          CASE "t1"."featured"
            WHEN 1 THEN 'true'
            WHEN 0 THEN 'false'
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "tag" AS "t1"
    WHERE
      "t1"."name" = ?
    LIMIT
      1
  ) AS "r0"
