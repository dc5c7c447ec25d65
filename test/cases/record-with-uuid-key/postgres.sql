SELECT
  (
    SELECT
      (
        coalesce(
          '{"id":"room_' || "t1"."id"::uuid || '","name":',
          '{"id":' || chr(3) || ',"name":'
        ) || coalesce(to_json("t1"."name"::text)::text, chr(3)) || '}'
      )
    FROM
      "room" AS "t1"
    WHERE
      "t1"."id" = $1::uuid
    LIMIT
      1
  ) AS "r0"
