SELECT
  concat (
    '[',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            json_quote('tag_' || "t1"."name"),
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
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat (
            '{"id":"ord_',
            "t2"."id",
            '","number":',
            json_quote("t2"."number"),
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
            json_quote('tag_' || "t3"."name"),
            ',"featured":',
            CASE "t3"."featured"
              WHEN 1 THEN 'true'
              WHEN 0 THEN 'false'
            END,
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
