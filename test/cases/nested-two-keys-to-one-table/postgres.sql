SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $1::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "order" AS "t1"
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '}}'
        )
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              (
                '{"id":' || coalesce(
                  to_json(('ord_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"billingAddress":' || CASE
                  WHEN "t3"."id" IS NOT NULL THEN (
                    '{"id":' || coalesce(
                      to_json(('adr_' || "t3"."id")::text)::text,
                      chr(3)
                    ) || ',"city":' || coalesce(to_json("t3"."city"::text)::text, chr(3)) || '}'
                  )
                  ELSE 'null'
                END || ',"shippingAddress":' || CASE
                  WHEN "t4"."id" IS NOT NULL THEN (
                    '{"id":' || coalesce(
                      to_json(('adr_' || "t4"."id")::text)::text,
                      chr(3)
                    ) || ',"city":' || coalesce(to_json("t4"."city"::text)::text, chr(3)) || '}'
                  )
                  ELSE 'null'
                END || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
              LEFT JOIN "address" AS "t3" ON "t3"."id" = "t1"."billing_address_id"
              LEFT JOIN "address" AS "t4" ON "t4"."id" = "t1"."shipping_address_id"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
