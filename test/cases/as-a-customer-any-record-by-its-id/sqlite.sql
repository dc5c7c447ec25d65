SELECT
  concat (
    '[',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('ord_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
              END,
              char(3)
            ),
            '}'
          )
        FROM
          "order" AS "t1"
        WHERE
          "t1"."id" = ?
          AND "t1"."customer_id" = ?
        LIMIT
          1
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('ord_' || "t2"."id"))
                WHEN 'text' THEN json_quote(('ord_' || "t2"."id"))
              END,
              char(3)
            ),
            '}'
          )
        FROM
          "order" AS "t2"
        WHERE
          "t2"."id" = ?
          AND "t2"."customer_id" = ?
        LIMIT
          1
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('cus_' || "t3"."id"))
                WHEN 'text' THEN json_quote(('cus_' || "t3"."id"))
              END,
              char(3)
            ),
            '}'
          )
        FROM
          "customer" AS "t3"
        WHERE
          "t3"."id" = ?
          AND "t3"."id" = ?
        LIMIT
          1
      ),
      'null'
    ),
    ',',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('pay_' || "t4"."id"))
                WHEN 'text' THEN json_quote(('pay_' || "t4"."id"))
              END,
              char(3)
            ),
            '}'
          )
        FROM
          "payment" AS "t4"
        WHERE
          "t4"."id" = ?
          AND "t4"."order_id" IN (
            SELECT
              "t5"."id"
            FROM
              "order" AS "t5"
            WHERE
              "t5"."customer_id" = ?
          )
        LIMIT
          1
      ),
      'null'
    ),
    ']'
  ) AS "r0"
