SELECT
  concat(
    '[',
    coalesce(
      (
        SELECT
          concat(
            '{"id":',
            CASE
              WHEN "t1"."name" IS NULL THEN ''
              ELSE concat(to_json(concat('tag_', "t1"."name"))::text)
            END,
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
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat(
            '{"id":',
            CASE
              WHEN "t2"."id" IS NULL THEN ''
              ELSE concat('"ord_', "t2"."id", '"')
            END,
            ',"number":',
            coalesce(to_json(("t2"."number" COLLATE "C"))::text, ''),
            '}'
          )
        FROM
          "order" AS "t2"
        WHERE
          "t2"."id" = $2::text
        LIMIT
          1
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat(
            '{"id":',
            CASE
              WHEN "t3"."name" IS NULL THEN ''
              ELSE concat(to_json(concat('tag_', "t3"."name"))::text)
            END,
            ',"featured":',
            coalesce("t3"."featured"::text, ''),
            '}'
          )
        FROM
          "tag" AS "t3"
        WHERE
          "t3"."name" = $3::text
        LIMIT
          1
      ),
      'null'
    ),
    ']'
  ) AS "r0"
