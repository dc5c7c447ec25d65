SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."name" IS NULL THEN ''
          ELSE concat(to_json(concat('tag_', "t1"."name"))::text)
        END,
        '}'
      )
    FROM
      "tag" AS "t1"
    WHERE
      "t1"."name" = $1::text
    LIMIT
      1
  ) AS "r0",
  concat(
    '{"totalCount":',
    (
      SELECT
        count(*)
      FROM
        "tag" AS "t2"
      WHERE
        TRUE
    ),
    '}'
  ) AS "r1",
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t3"."id" IS NULL THEN ''
          ELSE concat('"ord_', "t3"."id", '"')
        END,
        '}'
      )
    FROM
      "order" AS "t3"
    WHERE
      "t3"."id" = $2::text
    LIMIT
      1
  ) AS "r2"
