SELECT
  (
    '[' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('tag_' || "t1"."name")::text)::text,
              chr(3)
            ) || ',"featured":' || coalesce(
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
      ),
      'null'
    ) || ',' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('ord_' || "t2"."id")::text)::text,
              chr(3)
            ) || ',"number":' || coalesce(to_json("t2"."number"::text)::text, chr(3)) || '}'
          )
        FROM
          "order" AS "t2"
        WHERE
          "t2"."id" = $2::text
        LIMIT
          1
      ),
      'null'
    ) || ',' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('tag_' || "t3"."name")::text)::text,
              chr(3)
            ) || ',"featured":' || coalesce(
              (
                "t3"."featured"
                AND TRUE
              )::text,
              chr(3)
            ) || '}'
          )
        FROM
          "tag" AS "t3"
        WHERE
          "t3"."name" = $3::text
        LIMIT
          1
      ),
      'null'
    ) || ']'
  ) AS "r0"
