SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(('tag_' || "t1"."name")::text)::text,
          chr(3)
        ) || ',"name":' || coalesce(to_json("t1"."name"::text)::text, chr(3)) || ',"featured":' || coalesce(
          (
            "t1"."featured"
            AND TRUE
          )::text,
          chr(3)
        ) || '}'
      )
    FROM
      "tag" AS "t1"
    WHERE
      "t1"."name" = $1::text
    LIMIT
      1
  ) AS "r0"
