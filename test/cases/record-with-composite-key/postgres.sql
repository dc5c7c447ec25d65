SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(
            (
              'line_' || replace(replace("t1"."order_id", '%', '%25'), '~', '%7E') || '~' || ("t1"."position" | 0)
            )::text
          )::text,
          chr(3)
        ) || ',"position":' || coalesce(
          CASE
            WHEN "t1"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t1"."position" | 0)::text
          END,
          chr(3)
        ) || ',"quantity":' || coalesce(
          CASE
            WHEN "t1"."quantity" BETWEEN -2147483648 AND 2147483647 THEN ("t1"."quantity" | 0)::text
          END,
          chr(3)
        ) || coalesce(
          ',"unitPrice":"' || CASE
            WHEN scale("t1"."unit_price") IS NOT NULL THEN round("t1"."unit_price", 2)
          END || '","orderId":',
          ',"unitPrice":' || chr(3) || ',"orderId":'
        ) || coalesce(
          to_json(('ord_' || "t1"."order_id")::text)::text,
          chr(3)
        ) || '}'
      )
    FROM
      "order_line" AS "t1"
    WHERE
      "t1"."order_id" = $1::text
      AND "t1"."position" = $2::integer
    LIMIT
      1
  ) AS "r0"
