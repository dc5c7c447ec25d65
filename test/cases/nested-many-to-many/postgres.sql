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
                ELSE concat('"prd_', "t2"."id", '"')
              END,
              ',"tags":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          CASE
                            WHEN "t5"."name" IS NULL THEN ''
                            ELSE concat(to_json(concat('tag_', "t5"."name"))::text)
                          END,
                          ',"featured":',
                          coalesce("t5"."featured"::text, ''),
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
                          '0[[',
                          coalesce(to_json(("t5"."name" COLLATE "C"))::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t5"."number" = 1
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          '0[[',
                          coalesce(to_json(("t5"."name" COLLATE "C"))::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t5"."number" = CASE
                            WHEN "t5"."size" > $3::bigint THEN $4::bigint
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
                          $5::bigint
                      ) AS "t6"
                  ) AS "t5"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $6::bigint
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
          "t7".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $10::bigint
          ) AS "t7"
      ) AS "t2"
  ) AS "r0"
