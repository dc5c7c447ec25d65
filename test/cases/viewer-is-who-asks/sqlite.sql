SELECT
  concat (
    '{"roles":[],"scopes":[],"customer":',
    coalesce(
      (
        SELECT
          concat (
            '{"id":"cus_',
            "t1"."id",
            '","name":',
            json_quote("t1"."name"),
            ',"orders":{"totalCount":',
            (
              SELECT
                count(*)
              FROM
                "order" AS "t2"
              WHERE
                "t2"."customer_id" = ?
                AND "t2"."customer_id" = "t1"."id"
            ),
            '}}'
          )
        FROM
          "customer" AS "t1"
        WHERE
          "t1"."id" = ?
          AND "t1"."id" = ?
        LIMIT
          1
      ),
      'null'
    ),
    '}'
  ) AS "r0"
