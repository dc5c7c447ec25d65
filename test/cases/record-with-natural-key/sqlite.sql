SELECT
  (
    SELECT
      concat (
        '{"id":',
        json_quote('tag_' || "t1"."name"),
        ',"name":',
        json_quote("t1"."name"),
        ',"featured":',
        CASE "t1"."featured"
          WHEN 1 THEN 'true'
          WHEN 0 THEN 'false'
        END,
        '}'
      )
    FROM
      "tag" AS "t1"
    WHERE
      "t1"."name" = ?
    LIMIT
      1
  ) AS "r0"
