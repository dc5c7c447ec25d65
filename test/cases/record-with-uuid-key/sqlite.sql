SELECT
  (
    SELECT
      concat (
        coalesce(
          '{"id":"room_' || CASE
            WHEN length("t1"."id") = 36
            AND octet_length (unhex ("t1"."id", '-')) = 16 THEN "t1"."id"
          END || '","name":',
          '{"id":' || char(3) || ',"name":'
        ),
        coalesce(
          CASE typeof("t1"."name")
            WHEN 'text' THEN json_quote("t1"."name")
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "room" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
