SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(
            (
              'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || ("t1"."number" | 0)
            )::text
          )::text,
          chr(3)
        ) || ',"hall":' || coalesce(to_json("t1"."hall"::text)::text, chr(3)) || ',"number":' || coalesce(
          CASE
            WHEN "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN ("t1"."number" | 0)::text
          END,
          chr(3)
        ) || '}'
      )
    FROM
      "place" AS "t1"
    WHERE
      "t1"."hall" = $1::text
      AND "t1"."number" = $2::integer
    LIMIT
      1
  ) AS "r0"
