SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"cus_' || "t2"."id" || '"', chr(3)),
              ',"orders":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          coalesce('"ord_' || "t4"."id" || '"', chr(3)),
                          ',"number":',
                          coalesce(to_json("t4"."number")::text, chr(3)),
                          '}'
                        ),
                        ','
                        ORDER BY
                          "t4"."number_" DESC
                      ) FILTER (
                        WHERE
                          "t4"."number_" <= $1::bigint
                      ),
                      ''
                    ),
                    '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":',
                    CASE
                      WHEN count(*) > $2::bigint THEN 'true'
                      ELSE 'false'
                    END,
                    ',"startCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '0[[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = CASE
                            WHEN "t4"."size" > $3::bigint THEN $4::bigint
                            ELSE "t4"."size"
                          END
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '0[[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = 1
                          AND "t4"."number_" <= $5::bigint
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
                          "t3"."id" AS "id",
                          "t3"."number" AS "number"
                        FROM
                          "order" AS "t3"
                        WHERE
                          "t3"."customer_id" = "t2"."id"
                        ORDER BY
                          ("t3"."id" COLLATE "C") DESC
                        LIMIT
                          $6::bigint
                      ) AS "t5"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $7::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $8::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '1[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= $9::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '1[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $10::bigint THEN $11::bigint
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
          "t6".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $12::bigint
          ) AS "t6"
      ) AS "t2"
  ) AS "r0"
