SELECT
  (
    SELECT
      concat (
        '{"id":"ord_',
        "t1"."id",
        '","number":',
        json_quote("t1"."number"),
        ',"total":"',
        CASE
          WHEN "t1"."total" < 0 THEN '-'
          ELSE ''
        END,
        abs("t1"."total" / 100),
        '.',
        substr(100 + abs("t1"."total" % 100), 2),
        '"}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."number" = ?
    LIMIT
      1
  ) AS "r0"
