SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(
            'line_' || replace(replace("t1"."order_id", '%', '%25'), '~', '%7E') || '~' || "t1"."position"
          )::text,
          chr(3)
        ) || ',"position":' || coalesce("t1"."position"::text, chr(3)) || ',"quantity":' || coalesce("t1"."quantity"::text, chr(3)) || coalesce(
          ',"unitPrice":"' || CASE
            WHEN scale("t1"."unit_price") IS NOT NULL THEN round("t1"."unit_price", 2)
          END || '","orderId":',
          ',"unitPrice":' || chr(3) || ',"orderId":'
        ) || coalesce('"ord_' || "t1"."order_id" || '"}', chr(3) || '}')
      )
    FROM
      "order_line" AS "t1"
    WHERE
      "t1"."order_id" = $1::text
      AND "t1"."position" = $2::integer
    LIMIT
      1
  ) AS "r0"
