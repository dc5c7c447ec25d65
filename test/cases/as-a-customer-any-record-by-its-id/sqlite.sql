SELECT
  concat (
    '[',
    coalesce(
      (
        SELECT
          concat ('{"id":"ord_', "t1"."id", '"}')
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
          concat ('{"id":"ord_', "t2"."id", '"}')
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
          concat ('{"id":"cus_', "t3"."id", '"}')
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
          concat ('{"id":"pay_', "t4"."id", '"}')
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
