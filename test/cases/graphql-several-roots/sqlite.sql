SELECT
  (
    SELECT
      concat ('{"id":', json_quote('tag_' || "t1"."name"), '}')
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
      concat ('{"id":"ord_', "t3"."id", '"}')
    FROM
      "order" AS "t3"
    WHERE
      "t3"."id" = ?
    LIMIT
      1
  ) AS "r2"
