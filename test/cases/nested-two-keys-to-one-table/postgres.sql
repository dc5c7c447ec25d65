SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"ord_' || "t2"."id" || '"', chr(3)),
              ',"billingAddress":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat(
                  '{"id":',
                  coalesce('"adr_' || "t3"."id" || '"', chr(3)),
                  ',"city":',
                  coalesce(to_json("t3"."city")::text, chr(3)),
                  '}'
                )
                ELSE 'null'
              END,
              ',"shippingAddress":',
              CASE
                WHEN "t4"."id" IS NOT NULL THEN concat(
                  '{"id":',
                  coalesce('"adr_' || "t4"."id" || '"', chr(3)),
                  ',"city":',
                  coalesce(to_json("t4"."city")::text, chr(3)),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
            ORDER BY
              "t2"."number_"
          ) FILTER (
            WHERE
              "t2"."number_" <= $1::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $2::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
                WHEN "t2"."size" > $4::bigint THEN $5::bigint
                ELSE "t2"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t5".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."billing_address_id" AS "billing_address_id",
              "t1"."shipping_address_id" AS "shipping_address_id"
            FROM
              "order" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t5"
      ) AS "t2"
      LEFT JOIN "address" AS "t3" ON "t3"."id" = "t2"."billing_address_id"
      LEFT JOIN "address" AS "t4" ON "t4"."id" = "t2"."shipping_address_id"
  ) AS "r0"
