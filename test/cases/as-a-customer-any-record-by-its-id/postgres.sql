SELECT
  (
    '[' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('ord_' || "t1"."id")::text)::text,
              chr(3)
            ) || '}'
          )
        FROM
          "order" AS "t1"
        WHERE
          "t1"."id" = $1::text
          AND "t1"."customer_id" = $2::text
        LIMIT
          1
      ),
      'null'
    ) || ',' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('ord_' || "t2"."id")::text)::text,
              chr(3)
            ) || '}'
          )
        FROM
          "order" AS "t2"
        WHERE
          "t2"."id" = $3::text
          AND "t2"."customer_id" = $4::text
        LIMIT
          1
      ),
      'null'
    ) || ',' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('cus_' || "t3"."id")::text)::text,
              chr(3)
            ) || '}'
          )
        FROM
          "customer" AS "t3"
        WHERE
          "t3"."id" = $5::text
          AND "t3"."id" = $6::text
        LIMIT
          1
      ),
      'null'
    ) || ',' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('pay_' || "t4"."id")::text)::text,
              chr(3)
            ) || '}'
          )
        FROM
          "payment" AS "t4"
        WHERE
          "t4"."id" = $7::text
          AND "t4"."order_id" IN (
            SELECT
              "t5"."id"
            FROM
              "order" AS "t5"
            WHERE
              "t5"."customer_id" = $8::text
          )
        LIMIT
          1
      ),
      'null'
    ) || ']'
  ) AS "r0"
