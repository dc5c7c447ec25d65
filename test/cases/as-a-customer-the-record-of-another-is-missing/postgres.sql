SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(('ord_' || "t1"."id")::text)::text,
          chr(3)
        ) || ',"number":' || coalesce(to_json("t1"."number"::text)::text, chr(3)) || '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."number" = $1::text
      AND "t1"."customer_id" = $2::text
    LIMIT
      1
  ) AS "r0"
