SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"cus_',
              "t2"."id",
              '","orders":',
              (
                SELECT
                  concat (
                    '{"nodes":[',
                    coalesce(
                      string_agg (
                        concat (
                          '{"id":"ord_',
                          "t4"."id",
                          '","total":',
                          '"' || CASE
                            WHEN "t4"."total" < 0 THEN '-'
                            ELSE ''
                          END || abs("t4"."total" / 100) || '.' || substr('00' || abs("t4"."total" % 100), -2) || '"',
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t4"."number_" <= ?
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
                        AND "t6"."status" = ?
                    ),
                    ',"pageInfo":{"hasNextPage":',
                    CASE
                      WHEN count(*) > ? THEN 'true'
                      ELSE 'false'
                    END,
                    ',"hasPreviousPage":false,"startCursor":',
                    coalesce(
                      max(
                        concat (
                          char(1),
                          '0[',
                          '"' || CASE
                            WHEN "t4"."total" < 0 THEN '-'
                            ELSE ''
                          END || abs("t4"."total" / 100) || '.' || substr('00' || abs("t4"."total" % 100), -2) || '"',
                          ',[',
                          json_quote("t4"."id"),
                          ']]',
                          char(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = 1
                          AND "t4"."number_" <= ?
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat (
                          char(1),
                          '0[',
                          '"' || CASE
                            WHEN "t4"."total" < 0 THEN '-'
                            ELSE ''
                          END || abs("t4"."total" / 100) || '.' || substr('00' || abs("t4"."total" % 100), -2) || '"',
                          ',[',
                          json_quote("t4"."id"),
                          ']]',
                          char(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number_" = CASE
                            WHEN "t4"."size" > ? THEN ?
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
                          AND "t3"."status" = ?
                        ORDER BY
                          "t3"."total" DESC,
                          "t3"."id"
                        LIMIT
                          ?
                      ) AS "t5"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= ?
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
              '1[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '1[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
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
              "t1"."id"
            LIMIT
              ?
          ) AS "t7"
      ) AS "t2"
  ) AS "r0"
