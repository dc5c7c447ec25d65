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
              ',"customerId":',
              coalesce('"cus_' || "t2"."customer_id" || '"', chr(3)),
              '}'
            ),
            ','
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
          "t3".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."customer_id" AS "customer_id"
            FROM
              "order" AS "t1"
            WHERE
              "t1"."customer_id" = $6::text
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
