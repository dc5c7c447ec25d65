SELECT
  (
    SELECT
      (
        coalesce(
          '{"id":"exhibit_' || "t1"."id" || '","title":',
          '{"id":' || chr(3) || ',"title":'
        ) || coalesce(to_json("t1"."title")::text, chr(3)) || ',"floor":' || coalesce("t1"."floor"::text, chr(3)) || '}'
      )
    FROM
      "exhibit" AS "t1"
    WHERE
      "t1"."id" = $1::integer
    LIMIT
      1
  ) AS "r0"
