SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."id" IS NULL THEN ''
          ELSE concat('"exhibit_', "t1"."id", '"')
        END,
        ',"title":',
        coalesce(to_json(("t1"."title" COLLATE "C"))::text, ''),
        ',"floor":',
        coalesce("t1"."floor"::text, ''),
        '}'
      )
    FROM
      "exhibit" AS "t1"
    WHERE
      "t1"."id" = $1::integer
    LIMIT
      1
  ) AS "r0"
