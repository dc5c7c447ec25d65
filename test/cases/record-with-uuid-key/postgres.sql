SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."id" IS NULL THEN ''
          ELSE concat('"room_', "t1"."id", '"')
        END,
        ',"name":',
        coalesce(to_json(("t1"."name" COLLATE "C"))::text, ''),
        '}'
      )
    FROM
      "room" AS "t1"
    WHERE
      "t1"."id" = $1::uuid
    LIMIT
      1
  ) AS "r0"
