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
        ',"total":',
        coalesce(
          CASE
            WHEN abs("t1"."total") < 'Infinity' THEN '"' || round("t1"."total", 2) || '"'
          END,
          ''
        ),
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."number" = $1::text
    LIMIT
      1
  ) AS "r0"
