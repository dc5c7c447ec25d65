SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              CASE
                WHEN "t2"."id" IS NULL THEN ''
                ELSE concat('"ord_', "t2"."id", '"')
              END,
              ',"billingAddress":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat(
                  '{"id":',
                  CASE
                    WHEN "t3"."id" IS NULL THEN ''
                    ELSE concat('"adr_', "t3"."id", '"')
                  END,
                  ',"city":',
                  coalesce(to_json(("t3"."city" COLLATE "C"))::text, ''),
                  '}'
                )
                ELSE 'null'
              END,
              ',"shippingAddress":',
              CASE
                WHEN "t4"."id" IS NOT NULL THEN concat(
                  '{"id":',
                  CASE
                    WHEN "t4"."id" IS NULL THEN ''
                    ELSE concat('"adr_', "t4"."id", '"')
                  END,
                  ',"city":',
                  coalesce(to_json(("t4"."city" COLLATE "C"))::text, ''),
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
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
                WHEN "t2"."size" > $3::bigint THEN $4::bigint
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
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $5::bigint
          ) AS "t5"
      ) AS "t2"
      LEFT JOIN "address" AS "t3" ON "t3"."id" = "t2"."billing_address_id"
      LEFT JOIN "address" AS "t4" ON "t4"."id" = "t2"."shipping_address_id"
  ) AS "r0"
