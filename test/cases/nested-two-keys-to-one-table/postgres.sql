SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $1::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "order" AS "t5"
            ORDER BY
              ("t5"."id" COLLATE "C")
            LIMIT
              1
            OFFSET
              + $2::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5"."id" AS "id"
                FROM
                  "order" AS "t5"
                ORDER BY
                  ("t5"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t6"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5"."id" AS "id"
                FROM
                  "order" AS "t5"
                ORDER BY
                  ("t5"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t6"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
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
                      ("t5"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t7"
              ) AS "t6"
            ORDER BY
              "t6"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          (
            '{"id":' || coalesce('"ord_' || "t1"."id" || '"', chr(3)) || ',"billingAddress":' || CASE
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
          ) AS "item"
        FROM
          "order" AS "t1"
          LEFT JOIN "address" AS "t3" ON "t3"."id" = "t1"."billing_address_id"
          LEFT JOIN "address" AS "t4" ON "t4"."id" = "t1"."shipping_address_id"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $7::bigint
      ) AS "t2"
  ) AS "r0"
