SELECT
  (
    SELECT
      concat (
        '{"id":"room_',
        "t1"."id",
        '","name":',
        json_quote("t1"."name"),
        '}'
      )
    FROM
      "room" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
