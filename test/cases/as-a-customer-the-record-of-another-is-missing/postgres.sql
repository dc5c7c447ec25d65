SELECT
  (
    SELECT
      (
        coalesce(
          '{"id":"ord_' || "t1"."id" || '","number":',
          '{"id":' || chr(3) || ',"number":'
        ) || coalesce(to_json("t1"."number")::text, chr(3)) || '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."number" = $1::text
      AND "t1"."customer_id" = $2::text
    LIMIT
      1
  ) AS "r0"
