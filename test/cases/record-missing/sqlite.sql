SELECT
  (
    SELECT
      concat (
        '{"id":"cus_',
        "t1"."id",
        '","name":',
        json_quote("t1"."name"),
        '}'
      )
    FROM
      "customer" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
