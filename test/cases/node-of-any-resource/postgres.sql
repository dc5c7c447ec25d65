SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(('cus_' || "t1"."id")::text)::text,
          chr(3)
        ) || ',"name":' || coalesce(to_json("t1"."name"::text)::text, chr(3)) || ',"email":' || coalesce(to_json("t1"."email"::text)::text, chr(3)) || '}'
      )
    FROM
      "customer" AS "t1"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
