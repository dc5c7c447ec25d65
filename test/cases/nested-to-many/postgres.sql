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
              ',"lines":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          coalesce(
                            to_json(
                              'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || "t4"."position"
                            )::text,
                            chr(3)
                          ),
                          ',"quantity":',
                          coalesce("t4"."quantity"::text, chr(3)),
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t4"."number" <= $1::bigint
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
                          coalesce(to_json("t4"."order_id")::text, chr(3)),
                          ',',
                          coalesce("t4"."position"::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = 1
                          AND "t4"."number" <= $3::bigint
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '0[[',
                          coalesce(to_json("t4"."order_id")::text, chr(3)),
                          ',',
                          coalesce("t4"."position"::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = CASE
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
                          ("t3"."order_id" COLLATE "C"),
                          "t3"."position"
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
              "t2"."number_" <= $7::bigint
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
              "t2"."number_" = 1
              AND "t2"."number_" <= $9::bigint
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
              "t2"."number_" = CASE
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $12::bigint
          ) AS "t6"
      ) AS "t2"
  ) AS "r0"
