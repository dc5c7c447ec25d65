SELECT
  concat (
    '[',
    coalesce(
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
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('ord_' || "t2"."id"))
                WHEN 'text' THEN json_quote(('ord_' || "t2"."id"))
              END,
              char(3)
            ),
            ',"number":',
            coalesce(
              CASE typeof("t2"."number")
                WHEN 'text' THEN json_quote("t2"."number")
              END,
              char(3)
            ),
            '}'
          )
        FROM
          "order" AS "t2"
        WHERE
          "t2"."id" = ?
        LIMIT
          1
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('tag_' || "t3"."name"))
                WHEN 'text' THEN json_quote(('tag_' || "t3"."name"))
              END,
              char(3)
            ),
            ',"featured":',
            coalesce(
              CASE "t3"."featured"
                WHEN 1 THEN 'true'
                WHEN 0 THEN 'false'
              END,
              char(3)
            ),
            '}'
          )
        FROM
          "tag" AS "t3"
        WHERE
          "t3"."name" = ?
        LIMIT
          1
      ),
      'null'
    ),
    ']'
  ) AS "r0"
