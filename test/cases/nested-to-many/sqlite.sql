SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"ord_',
              "t2"."id",
              '","lines":',
              (
                SELECT
                  concat (
                    '{"nodes":[',
                    coalesce(
                      string_agg (
                        concat (
                          '{"id":',
                          json_quote(
                            'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || "t4"."position"
                          ),
                          ',"quantity":',
                          "t4"."quantity",
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t4"."number" <= ?
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
                          '0[[',
                          json_quote("t4"."order_id"),
                          ',',
                          "t4"."position",
                          ']]',
                          char(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = 1
                          AND "t4"."number" <= ?
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat (
                          char(1),
                          '0[[',
                          json_quote("t4"."order_id"),
                          ',',
                          "t4"."position",
                          ']]',
                          char(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = CASE
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
                      row_number() OVER () AS "number",
                      count(*) OVER () AS "size"
                    FROM
                      (
                        SELECT
                          "t3"."order_id" AS "order_id",
                          "t3"."position" AS "position",
                          "t3"."quantity" AS "quantity"
                        FROM
                          "order_line" AS "t3"
                        WHERE
                          "t3"."order_id" = "t2"."id"
                        ORDER BY
                          "t3"."order_id",
                          "t3"."position"
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
              "t2"."number_" <= ?
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
              "t2"."number_" = 1
              AND "t2"."number_" <= ?
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
              "t2"."number_" = CASE
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t6"
      ) AS "t2"
  ) AS "r0"
