SELECT
  (
    '{"roles":[],"scopes":[],"customer":' || coalesce(
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(('cus_' || "t1"."id")::text)::text,
              chr(3)
            ) || ',"name":' || coalesce(to_json("t1"."name"::text)::text, chr(3)) || ',"orders":{"totalCount":' || (
              SELECT
                count(*)
              FROM
                "order" AS "t2"
              WHERE
                "t2"."customer_id" = $1::text
                AND "t2"."customer_id" = "t1"."id"
            ) || '}}'
          )
        FROM
          "customer" AS "t1"
        WHERE
          "t1"."id" = $2::text
          AND "t1"."id" = $3::text
        LIMIT
          1
      ),
      'null'
    ) || '}'
  ) AS "r0"
