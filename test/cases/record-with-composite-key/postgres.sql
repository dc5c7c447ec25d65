SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."order_id" IS NULL
          OR "t1"."position" IS NULL THEN ''
          ELSE concat(
            to_json(
              concat(
                'line_',
                replace(replace("t1"."order_id", '%', '%25'), '~', '%7E'),
                '~',
                "t1"."position"
              )
            )::text
          )
        END,
        ',"position":',
        coalesce("t1"."position"::text, ''),
        ',"quantity":',
        coalesce("t1"."quantity"::text, ''),
        ',"unitPrice":',
        coalesce(
          CASE
            WHEN abs("t1"."unit_price") < 'Infinity' THEN '"' || round("t1"."unit_price", 2) || '"'
          END,
          ''
        ),
        ',"orderId":',
        CASE
          WHEN "t1"."order_id" IS NULL THEN ''
          ELSE concat('"ord_', "t1"."order_id", '"')
        END,
        '}'
      )
    FROM
      "order_line" AS "t1"
    WHERE
      "t1"."order_id" = $1::text
      AND "t1"."position" = $2::integer
    LIMIT
      1
  ) AS "r0"
