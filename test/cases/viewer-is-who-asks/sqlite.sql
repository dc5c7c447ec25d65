SELECT
  concat (
    '{"roles":[],"scopes":[],"customer":',
    coalesce(
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('cus_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('cus_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"name":',
            coalesce(
              CASE typeof("t1"."name")
                WHEN 'text' THEN json_quote("t1"."name")
              END,
              char(3)
            ),
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
