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
                          '","number":',
                          json_quote("t4"."number"),
                          '}'
                        ),
                        ','
                        ORDER BY
                          "t4"."number_" DESC
                      ) FILTER (
                        WHERE
                          "t4"."number_" <= ?
                      ),
                      ''
                    ),
                    '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":',
                    CASE
                      WHEN count(*) > ? THEN 'true'
                      ELSE 'false'
                    END,
                    ',"startCursor":',
                    coalesce(
                      max(
                        concat (
                          char(1),
                          '0[[',
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
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat (
                          char(1),
                          '0[[',
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
                          "t3"."id" DESC
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
              "t1"."id"
            LIMIT
              ?
          ) AS "t6"
      ) AS "t2"
  ) AS "r0"
