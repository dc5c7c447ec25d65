SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t6".*,
          row_number() OVER () AS "number_"
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
              + $1::bigint
          ) AS "t6"
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"ord_' || "t2"."id" || '"', chr(3)) || ',"billingAddress":' || CASE
                WHEN "t3"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce('"adr_' || "t3"."id" || '"', chr(3)) || ',"city":' || coalesce(to_json("t3"."city")::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || ',"shippingAddress":' || CASE
                WHEN "t4"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce('"adr_' || "t4"."id" || '"', chr(3)) || ',"city":' || coalesce(to_json("t4"."city")::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || '}'
            ),
            ','
            ORDER BY
              "t2"."number_"
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $2::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t5" AS "t2"
            LIMIT
              1
            OFFSET
              + $3::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t5"
                LIMIT
                  + $4::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t5"
                LIMIT
                  + $5::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t5"
                LIMIT
                  + $7::bigint
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t5"
        LIMIT
          + $8::bigint
      ) AS "t2"
      LEFT JOIN "address" AS "t3" ON "t3"."id" = "t2"."billing_address_id"
      LEFT JOIN "address" AS "t4" ON "t4"."id" = "t2"."shipping_address_id"
  ) AS "r0"
