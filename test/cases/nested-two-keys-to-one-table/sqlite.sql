SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."billing_address_id" AS "billing_address_id",
          "t1"."shipping_address_id" AS "shipping_address_id"
        FROM
          "order" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      )
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
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t5" AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t5"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
            OFFSET
              0
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t5"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t6".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + ?
                  ) AS "t6"
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t5"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "address" AS "t3" ON "t3"."id" = "t2"."billing_address_id"
      LEFT JOIN "address" AS "t4" ON "t4"."id" = "t2"."shipping_address_id"
  ) AS "r0"
