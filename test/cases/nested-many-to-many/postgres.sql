SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t2"."id" || '"', chr(3)),
              ',"tags":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          coalesce(to_json('tag_' || "t5"."name")::text, chr(3)),
                          ',"featured":',
                          coalesce("t5"."featured"::text, chr(3)),
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t5"."number" <= $1::bigint
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
                          coalesce(to_json("t5"."name")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t5"."number" = 1
                          AND "t5"."number" <= $3::bigint
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '0[[',
                          coalesce(to_json("t5"."name")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t5"."number" = CASE
                            WHEN "t5"."size" > $4::bigint THEN $5::bigint
                            ELSE "t5"."size"
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
                          "t3"."name" AS "name",
                          "t3"."featured" AS "featured"
                        FROM
                          "tag" AS "t3"
                        WHERE
                          "t3"."name" IN (
                            SELECT
                              "t4"."tag_id"
                            FROM
                              "product_tag" AS "t4"
                            WHERE
                              "t4"."product_id" = "t2"."id"
                          )
                        ORDER BY
                          ("t3"."name" COLLATE "C")
                        LIMIT
                          $6::bigint
                      ) AS "t6"
                  ) AS "t5"
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
          "t7".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $12::bigint
          ) AS "t7"
      ) AS "t2"
  ) AS "r0"
