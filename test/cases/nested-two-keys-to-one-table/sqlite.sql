SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND CASE
            WHEN + ? > 0 THEN EXISTS (
              SELECT
                1
              FROM
                "order" AS "t7"
              WHERE
                "t7"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t7"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "order" AS "t5"
              ORDER BY
                "t5"."id"
              LIMIT
                1
              OFFSET
                + ?
            )
          END THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              json_quote(min("t2"."key")),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        ',"endCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              json_quote(max("t2"."key")),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          concat (
            '{"id":"ord_',
            "t1"."id",
            '","billingAddress":',
            CASE
              WHEN "t3"."id" IS NOT NULL THEN concat (
                '{"id":"adr_',
                "t3"."id",
                '","city":',
                json_quote("t3"."city"),
                '}'
              )
              ELSE 'null'
            END,
            ',"shippingAddress":',
            CASE
              WHEN "t4"."id" IS NOT NULL THEN concat (
                '{"id":"adr_',
                "t4"."id",
                '","city":',
                json_quote("t4"."city"),
                '}'
              )
              ELSE 'null'
            END,
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "order" AS "t1"
          LEFT JOIN "address" AS "t3" ON "t3"."id" = "t1"."billing_address_id"
          LEFT JOIN "address" AS "t4" ON "t4"."id" = "t1"."shipping_address_id"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
