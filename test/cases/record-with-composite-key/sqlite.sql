SELECT
  (
    SELECT
      concat (
        '{"id":',
        coalesce(
          CASE typeof(
              (
                'line_' || replace(replace("t1"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                  WHEN typeof("t1"."position") = 'integer'
                  AND "t1"."position" BETWEEN -2147483648 AND 2147483647 THEN "t1"."position"
                END
              )
            )
            WHEN 'text' THEN json_quote(
              (
                'line_' || replace(replace("t1"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                  WHEN typeof("t1"."position") = 'integer'
                  AND "t1"."position" BETWEEN -2147483648 AND 2147483647 THEN "t1"."position"
                END
              )
            )
          END,
          char(3)
        ),
        ',"position":',
        coalesce(
          CASE
            WHEN typeof("t1"."position") = 'integer'
            AND "t1"."position" BETWEEN -2147483648 AND 2147483647 THEN "t1"."position"
          END,
          char(3)
        ),
        ',"quantity":',
        coalesce(
          CASE
            WHEN typeof("t1"."quantity") = 'integer'
            AND "t1"."quantity" BETWEEN -2147483648 AND 2147483647 THEN "t1"."quantity"
          END,
          char(3)
        ),
        coalesce(
          ',"unitPrice":"' || CASE typeof("t1"."unit_price")
            WHEN 'integer' THEN CASE
              WHEN "t1"."unit_price" < 0 THEN '-'
              ELSE ''
            END || abs("t1"."unit_price" / 100) || '.' || substr(100 + abs("t1"."unit_price" % 100), 2)
          END || '","orderId":',
          ',"unitPrice":' || char(3) || ',"orderId":'
        ),
        coalesce(
          CASE typeof(('ord_' || "t1"."order_id"))
            WHEN 'text' THEN json_quote(('ord_' || "t1"."order_id"))
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "order_line" AS "t1"
    WHERE
      "t1"."order_id" = ?
      AND "t1"."position" = ?
    LIMIT
      1
  ) AS "r0"
