SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(('tag_' || "t1"."name")::text)::text,
          chr(3)
        ) || '}'
      )
    FROM
      "tag" AS "t1"
    WHERE
      "t1"."name" = $1::text
    LIMIT
      1
  ) AS "r0",
  (
    '{"totalCount":' || (
      SELECT
        count(*)
      FROM
        "tag" AS "t2"
    ) || '}'
  ) AS "r1",
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(('ord_' || "t3"."id")::text)::text,
          chr(3)
        ) || '}'
      )
    FROM
      "order" AS "t3"
    WHERE
      "t3"."id" = $2::text
    LIMIT
      1
  ) AS "r2"
