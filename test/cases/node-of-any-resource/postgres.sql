SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."id" IS NULL THEN ''
          ELSE concat('"cus_', "t1"."id", '"')
        END,
        ',"name":',
        coalesce(to_json(("t1"."name" COLLATE "C"))::text, ''),
        ',"email":',
        coalesce(to_json(("t1"."email" COLLATE "C"))::text, ''),
        '}'
      )
    FROM
      "customer" AS "t1"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
