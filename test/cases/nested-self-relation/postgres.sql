SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"cat_' || "t2"."id" || '"', chr(3)),
              ',"name":',
              coalesce(to_json("t2"."name")::text, chr(3)),
              ',"children":',
              (
                SELECT
                  concat(
                    '{"nodes":[',
                    coalesce(
                      string_agg(
                        concat(
                          '{"id":',
                          coalesce('"cat_' || "t4"."id" || '"', chr(3)),
                          ',"name":',
                          coalesce(to_json("t4"."name")::text, chr(3)),
                          ',"children":',
                          (
                            SELECT
                              concat(
                                '{"nodes":[',
                                coalesce(
                                  string_agg(
                                    concat(
                                      '{"id":',
                                      coalesce('"cat_' || "t6"."id" || '"', chr(3)),
                                      ',"name":',
                                      coalesce(to_json("t6"."name")::text, chr(3)),
                                      ',"parent":',
                                      CASE
                                        WHEN "t7"."id" IS NOT NULL THEN concat(
                                          '{"id":',
                                          coalesce('"cat_' || "t7"."id" || '"', chr(3)),
                                          ',"name":',
                                          coalesce(to_json("t7"."name")::text, chr(3)),
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
                                      chr(1),
                                      '0[[',
                                      coalesce(to_json("t6"."id")::text, chr(3)),
                                      ']]',
                                      chr(2)
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = 1
                                      AND "t6"."number" <= $3::bigint
                                  ),
                                  'null'
                                ),
                                ',"endCursor":',
                                coalesce(
                                  max(
                                    concat(
                                      chr(1),
                                      '0[[',
                                      coalesce(to_json("t6"."id")::text, chr(3)),
                                      ']]',
                                      chr(2)
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = CASE
                                        WHEN "t6"."size" > $4::bigint THEN $5::bigint
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
                                      $6::bigint
                                  ) AS "t8"
                              ) AS "t6"
                              LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
                          ),
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t4"."number" <= $7::bigint
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
                          '0[[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = 1
                          AND "t4"."number" <= $9::bigint
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat(
                          chr(1),
                          '0[[',
                          coalesce(to_json("t4"."id")::text, chr(3)),
                          ']]',
                          chr(2)
                        )
                      ) FILTER (
                        WHERE
                          "t4"."number" = CASE
                            WHEN "t4"."size" > $10::bigint THEN $11::bigint
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
                          $12::bigint
                      ) AS "t9"
                  ) AS "t4"
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $13::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $14::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= $15::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $16::bigint THEN $17::bigint
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
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $18::bigint
          ) AS "t10"
      ) AS "t2"
  ) AS "r0"
