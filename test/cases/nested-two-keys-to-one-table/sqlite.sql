SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"ord_',
              "t2"."id",
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
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number_" <= ?
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
                WHEN "t2"."size" > ? THEN ?
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
              "t1"."id"
            LIMIT
              ?
          ) AS "t5"
      ) AS "t2"
      LEFT JOIN "address" AS "t3" ON "t3"."id" = "t2"."billing_address_id"
      LEFT JOIN "address" AS "t4" ON "t4"."id" = "t2"."shipping_address_id"
  ) AS "r0"
