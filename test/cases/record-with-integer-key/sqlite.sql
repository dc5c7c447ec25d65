SELECT
  (
    SELECT
      concat (
        '{"id":"exhibit_',
        "t1"."id",
        '","title":',
        json_quote("t1"."title"),
        ',"floor":',
        "t1"."floor",
        '}'
      )
    FROM
      "exhibit" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
