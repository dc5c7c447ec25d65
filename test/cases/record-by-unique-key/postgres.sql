SELECT
  (
    SELECT
      (
        '{"id":' || coalesce('"ord_' || "t1"."id" || '"', chr(3)) || ',"number":' || coalesce(to_json("t1"."number")::text, chr(3)) || ',"total":' || coalesce(
          CASE
            WHEN abs("t1"."total") < 'Infinity' THEN '"' || round("t1"."total", 2) || '"'
          END,
          chr(3)
        ) || '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."number" = $1::text
    LIMIT
      1
  ) AS "r0"
