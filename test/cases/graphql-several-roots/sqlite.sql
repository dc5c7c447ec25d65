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
        '}'
      )
    FROM
      "tag" AS "t1"
    WHERE
      "t1"."name" = ?
    LIMIT
      1
  ) AS "r0",
  concat (
    '{"totalCount":',
    (
      SELECT
        count(*)
      FROM
        "tag" AS "t2"
    ),
    '}'
  ) AS "r1",
  (
    SELECT
      concat (
        '{"id":',
        coalesce(
          CASE typeof(('ord_' || "t3"."id"))
            WHEN 'text' THEN json_quote(('ord_' || "t3"."id"))
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "order" AS "t3"
    WHERE
      "t3"."id" = ?
    LIMIT
      1
  ) AS "r2"
