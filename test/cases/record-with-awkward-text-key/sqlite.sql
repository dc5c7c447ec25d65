SELECT
  (
    SELECT
      concat (
        '{"id":',
        coalesce(
          CASE typeof(
              (
                'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || CASE
                  WHEN typeof("t1"."number") = 'integer'
                  AND "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                END
              )
            )
            WHEN 'text' THEN json_quote(
              (
                'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || CASE
                  WHEN typeof("t1"."number") = 'integer'
                  AND "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                END
              )
            )
          END,
          char(3)
        ),
        ',"hall":',
        coalesce(
          CASE typeof("t1"."hall")
            WHEN 'text' THEN json_quote("t1"."hall")
          END,
          char(3)
        ),
        ',"number":',
        coalesce(
          CASE
            WHEN typeof("t1"."number") = 'integer'
            AND "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "place" AS "t1"
    WHERE
      "t1"."hall" = ?
      AND "t1"."number" = ?
    LIMIT
      1
  ) AS "r0"
