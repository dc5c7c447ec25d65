SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."name" IS NULL THEN ''
          ELSE concat(to_json(concat('tag_', "t1"."name"))::text)
        END,
        ',"name":',
        coalesce(to_json(("t1"."name" COLLATE "C"))::text, ''),
        ',"featured":',
        coalesce("t1"."featured"::text, ''),
        '}'
      )
    FROM
      "tag" AS "t1"
    WHERE
      "t1"."name" = $1::text
    LIMIT
      1
  ) AS "r0"
