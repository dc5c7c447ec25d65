SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."id" IS NULL THEN ''
          ELSE concat('"ord_', "t1"."id", '"')
        END,
        ',"number":',
        coalesce(to_json(("t1"."number" COLLATE "C"))::text, ''),
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
