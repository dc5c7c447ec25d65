SELECT
  (
    SELECT
      (
        '{"customer":' || CASE
          WHEN "t2"."id" IS NOT NULL THEN (
            '{"id":' || coalesce(
              to_json(('cus_' || "t2"."id")::text)::text,
              chr(3)
            ) || ',"name":' || coalesce(to_json("t2"."name"::text)::text, chr(3)) || '}'
          )
          ELSE 'null'
        END || '}'
      )
    FROM
      "order" AS "t1"
      LEFT JOIN "customer" AS "t2" ON "t2"."id" = "t1"."customer_id"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
