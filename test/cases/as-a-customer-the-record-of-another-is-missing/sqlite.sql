SELECT
  (
    SELECT
      concat (
        '{"id":"ord_',
        "t1"."id",
        '","number":',
        json_quote("t1"."number"),
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."number" = ?
      AND "t1"."customer_id" = ?
    LIMIT
      1
  ) AS "r0"
