SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
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
                json_quote("t6"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t5"."id" AS "id"
                FROM
                  "order" AS "t5"
                ORDER BY
                  "t5"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t6"
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
                json_quote("t6"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t5"."id" AS "id"
                FROM
                  "order" AS "t5"
                ORDER BY
                  "t5"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t6"
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t6"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t7".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      "t5"."id" AS "id"
                    FROM
                      "order" AS "t5"
                    ORDER BY
                      "t5"."id"
                    LIMIT
                      + ?
                  ) AS "t7"
              ) AS "t6"
            ORDER BY
              "t6"."number_" DESC
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
          ) AS "item"
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
