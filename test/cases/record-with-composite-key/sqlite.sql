SELECT
  (
    SELECT
      concat (
        '{"id":',
        json_quote(
          'line_' || replace(replace("t1"."order_id", '%', '%25'), '~', '%7E') || '~' || "t1"."position"
        ),
        ',"position":',
        "t1"."position",
        ',"quantity":',
        "t1"."quantity",
        ',"unitPrice":"',
        CASE
          WHEN "t1"."unit_price" < 0 THEN '-'
          ELSE ''
        END,
        abs("t1"."unit_price" / 100),
        '.',
        substr(100 + abs("t1"."unit_price" % 100), 2),
        '","orderId":"ord_',
        "t1"."order_id",
        '"}'
      )
    FROM
      "order_line" AS "t1"
    WHERE
      "t1"."order_id" = ?
      AND "t1"."position" = ?
    LIMIT
      1
  ) AS "r0"
