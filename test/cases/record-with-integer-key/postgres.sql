SELECT
  (
    SELECT
      (
        coalesce(
          '{"id":"exhibit_' || ("t1"."id" | 0) || '","title":',
          '{"id":' || chr(3) || ',"title":'
        ) || coalesce(to_json("t1"."title"::text)::text, chr(3)) || ',"floor":' || coalesce(
          CASE
            WHEN "t1"."floor" BETWEEN -2147483648 AND 2147483647 THEN ("t1"."floor" | 0)::text
          END,
          chr(3)
        ) || '}'
      )
    FROM
      "exhibit" AS "t1"
    WHERE
      "t1"."id" = $1::integer
    LIMIT
      1
  ) AS "r0"
