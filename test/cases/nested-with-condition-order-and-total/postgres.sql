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
                          ',"total":',
                          coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            chr(3)
                          ),
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t4"."number_" <= $1::bigint
                      ),
                      ''
                    ),
                    '],"totalCount":',
                    (
                      SELECT
                        count(*)
                      FROM
                        "order" AS "t6"
                      WHERE
                        "t6"."customer_id" = "t2"."id"
                        AND "t6"."status" = $2::text
                    ),
                    ',"pageInfo":{"hasNextPage":',
                    CASE
                      WHEN count(*) > $3::bigint THEN 'true'
                      ELSE 'false'
                    END,
                    ',"hasPreviousPage":false,"startCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '0[',
                          coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            chr(3)
                          ),
                          ',[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = 1
                          AND "t4"."number_" <= $4::bigint
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '0[',
                          coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            chr(3)
                          ),
                          ',[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = CASE
                            WHEN "t4"."size" > $5::bigint THEN $6::bigint
                            ELSE "t4"."size"
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
                          "t3"."id" AS "id",
                          "t3"."total" AS "total"
                        FROM
                          "order" AS "t3"
                        WHERE
                          "t3"."customer_id" = "t2"."id"
                          AND "t3"."status" = $7::text
                        ORDER BY
                          "t3"."total" DESC,
                          ("t3"."id" COLLATE "C")
                        LIMIT
                          $8::bigint
                      ) AS "t5"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $9::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $10::bigint THEN 'true'
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
              AND "t2"."number" <= $11::bigint
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
                WHEN "t2"."size" > $12::bigint THEN $13::bigint
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
          "t7".*,
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
              $14::bigint
          ) AS "t7"
      ) AS "t2"
  ) AS "r0"
