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
              coalesce(
                CASE typeof(min("t2"."key"))
                  WHEN 'text' THEN json_quote(min("t2"."key"))
                END,
                CASE
                  WHEN min("t2"."key") IS NOT NULL THEN json_array(
                    typeof(min("t2"."key")),
                    CASE typeof(min("t2"."key"))
                      WHEN 'blob' THEN hex(min("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', min("t2"."key"))
                      ELSE CAST(min("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
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
              coalesce(
                CASE typeof(max("t2"."key"))
                  WHEN 'text' THEN json_quote(max("t2"."key"))
                END,
                CASE
                  WHEN max("t2"."key") IS NOT NULL THEN json_array(
                    typeof(max("t2"."key")),
                    CASE typeof(max("t2"."key"))
                      WHEN 'blob' THEN hex(max("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', max("t2"."key"))
                      ELSE CAST(max("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
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
            '{"id":',
            coalesce(
              CASE typeof(('ord_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"billingAddress":',
            CASE
              WHEN "t3"."id" IS NOT NULL THEN concat (
                '{"id":',
                coalesce(
                  CASE typeof(('adr_' || "t3"."id"))
                    WHEN 'text' THEN json_quote(('adr_' || "t3"."id"))
                  END,
                  char(3)
                ),
                ',"city":',
                coalesce(
                  CASE typeof("t3"."city")
                    WHEN 'text' THEN json_quote("t3"."city")
                  END,
                  char(3)
                ),
                '}'
              )
              ELSE 'null'
            END,
            ',"shippingAddress":',
            CASE
              WHEN "t4"."id" IS NOT NULL THEN concat (
                '{"id":',
                coalesce(
                  CASE typeof(('adr_' || "t4"."id"))
                    WHEN 'text' THEN json_quote(('adr_' || "t4"."id"))
                  END,
                  char(3)
                ),
                ',"city":',
                coalesce(
                  CASE typeof("t4"."city")
                    WHEN 'text' THEN json_quote("t4"."city")
                  END,
                  char(3)
                ),
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
