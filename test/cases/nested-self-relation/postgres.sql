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
                ELSE concat('"cat_', "t2"."id", '"')
              END,
              ',"name":',
              coalesce(to_json(("t2"."name" COLLATE "C"))::text, ''),
              ',"children":',
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
                            ELSE concat('"cat_', "t4"."id", '"')
                          END,
                          ',"name":',
                          coalesce(to_json(("t4"."name" COLLATE "C"))::text, ''),
                          ',"children":',
                          (
                            SELECT
                              concat(
                                '{"nodes":[',
                                coalesce(
                                  string_agg(
                                    concat(
                                      '{"id":',
                                      CASE
                                        WHEN "t6"."id" IS NULL THEN ''
                                        ELSE concat('"cat_', "t6"."id", '"')
                                      END,
                                      ',"name":',
                                      coalesce(to_json(("t6"."name" COLLATE "C"))::text, ''),
                                      ',"parent":',
                                      CASE
                                        WHEN "t7"."id" IS NOT NULL THEN concat(
                                          '{"id":',
                                          CASE
                                            WHEN "t7"."id" IS NULL THEN ''
                                            ELSE concat('"cat_', "t7"."id", '"')
                                          END,
                                          ',"name":',
                                          coalesce(to_json(("t7"."name" COLLATE "C"))::text, ''),
                                          '}'
                                        )
                                        ELSE 'null'
                                      END,
                                      '}'
                                    ),
                                    ','
                                    ORDER BY
                                      "t6"."number"
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" <= $1::bigint
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
                                      coalesce(to_json(("t6"."id" COLLATE "C"))::text, ''),
                                      ']]'
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = 1
                                  ),
                                  'null'
                                ),
                                ',"endCursor":',
                                coalesce(
                                  max(
                                    concat(
                                      '0[[',
                                      coalesce(to_json(("t6"."id" COLLATE "C"))::text, ''),
                                      ']]'
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = CASE
                                        WHEN "t6"."size" > $3::bigint THEN $4::bigint
                                        ELSE "t6"."size"
                                      END
                                  ),
                                  'null'
                                ),
                                '}}'
                              )
                            FROM
                              (
                                SELECT
                                  "t8".*,
                                  row_number() OVER () AS "number",
                                  count(*) OVER () AS "size"
                                FROM
                                  (
                                    SELECT
                                      "t5"."id" AS "id",
                                      "t5"."name" AS "name",
                                      "t5"."parent_id" AS "parent_id"
                                    FROM
                                      "category" AS "t5"
                                    WHERE
                                      "t5"."parent_id" = "t4"."id"
                                    ORDER BY
                                      ("t5"."id" COLLATE "C")
                                    LIMIT
                                      $5::bigint
                                  ) AS "t8"
                              ) AS "t6"
                              LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
                          ),
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t4"."number" <= $6::bigint
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
                          '0[[',
                          coalesce(to_json(("t4"."id" COLLATE "C"))::text, ''),
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
                          coalesce(to_json(("t4"."id" COLLATE "C"))::text, ''),
                          ']]'
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = CASE
                            WHEN "t4"."size" > $8::bigint THEN $9::bigint
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
                      "t9".*,
                      row_number() OVER () AS "number",
                      count(*) OVER () AS "size"
                    FROM
                      (
                        SELECT
                          "t3"."id" AS "id",
                          "t3"."name" AS "name"
                        FROM
                          "category" AS "t3"
                        WHERE
                          "t3"."parent_id" = "t2"."id"
                        ORDER BY
                          ("t3"."id" COLLATE "C")
                        LIMIT
                          $10::bigint
                      ) AS "t9"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $11::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $12::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              '0[[',
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
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $13::bigint THEN $14::bigint
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
          "t10".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."name" AS "name"
            FROM
              "category" AS "t1"
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $15::bigint
          ) AS "t10"
      ) AS "t2"
  ) AS "r0"
