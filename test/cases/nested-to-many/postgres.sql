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
                ELSE concat('"ord_', "t2"."id", '"')
              END,
              ',"lines":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          CASE
                            WHEN "t4"."order_id" IS NULL
                            OR "t4"."position" IS NULL THEN ''
                            ELSE concat(
                              to_json(
                                concat(
                                  'line_',
                                  replace(replace("t4"."order_id", '%', '%25'), '~', '%7E'),
                                  '~',
                                  "t4"."position"
                                )
                              )::text
                            )
                          END,
                          ',"quantity":',
                          coalesce("t4"."quantity"::text, ''),
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
                          '0[[',
                          coalesce(to_json(("t4"."order_id" COLLATE "C"))::text, ''),
                          ',',
                          coalesce("t4"."position"::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = 1
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          '0[[',
                          coalesce(to_json(("t4"."order_id" COLLATE "C"))::text, ''),
                          ',',
                          coalesce("t4"."position"::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = CASE
                            WHEN "t4"."size" > $3::bigint THEN $4::bigint
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
                          $5::bigint
                      ) AS "t5"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number_" <= $6::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $7::bigint THEN 'true'
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
              "t2"."number_" = 1
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
              "t2"."number_" = CASE
                WHEN "t2"."size" > $8::bigint THEN $9::bigint
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
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $10::bigint
          ) AS "t6"
      ) AS "t2"
  ) AS "r0"
