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
                ELSE concat('"cus_', "t2"."id", '"')
              END,
              ',"orders":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          CASE
                            WHEN "t4"."id" IS NULL THEN ''
                            ELSE concat('"ord_', "t4"."id", '"')
                          END,
                          ',"total":',
                          coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            ''
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
                          '0[',
                          coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            ''
                          ),
                          ',[',
                          coalesce(to_json(("t4"."id" COLLATE "C"))::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = 1
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          '0[',
                          coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            ''
                          ),
                          ',[',
                          coalesce(to_json(("t4"."id" COLLATE "C"))::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = CASE
                            WHEN "t4"."size" > $4::bigint THEN $5::bigint
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
                          AND "t3"."status" = $6::text
                        ORDER BY
                          "t3"."total" DESC,
                          ("t3"."id" COLLATE "C")
                        LIMIT
                          $7::bigint
                      ) AS "t5"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $8::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $9::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              '1[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '1[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
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
          "t7".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $12::bigint
          ) AS "t7"
      ) AS "t2"
  ) AS "r0"
