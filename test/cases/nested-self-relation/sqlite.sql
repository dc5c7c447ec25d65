SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"cat_',
              "t2"."id",
              '","name":',
              json_quote("t2"."name"),
              ',"children":',
              (
                SELECT
                  concat (
                    '{"nodes":[',
                    coalesce(
                      string_agg (
                        concat (
                          '{"id":"cat_',
                          "t4"."id",
                          '","name":',
                          json_quote("t4"."name"),
                          ',"children":',
                          (
                            SELECT
                              concat (
                                '{"nodes":[',
                                coalesce(
                                  string_agg (
                                    concat (
                                      '{"id":"cat_',
                                      "t6"."id",
                                      '","name":',
                                      json_quote("t6"."name"),
                                      ',"parent":',
                                      CASE
                                        WHEN "t7"."id" IS NOT NULL THEN concat (
                                          '{"id":"cat_',
                                          "t7"."id",
                                          '","name":',
                                          json_quote("t7"."name"),
                                          '}'
                                        )
                                        ELSE 'null'
                                      END,
                                      '}'
                                    ),
                                    ','
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" <= ?
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
                                      json_quote("t6"."id"),
                                      ']]',
                                      char(2)
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = 1
                                      AND "t6"."number" <= ?
                                  ),
                                  'null'
                                ),
                                ',"endCursor":',
                                coalesce(
                                  max(
                                    concat (
                                      char(1),
                                      '0[[',
                                      json_quote("t6"."id"),
                                      ']]',
                                      char(2)
                                    )
                                  ) FILTER (
                                    WHERE
                                      "t6"."number" = CASE
                                        WHEN "t6"."size" > ? THEN ?
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
                                      "t5"."id"
                                    LIMIT
                                      ?
                                  ) AS "t8"
                              ) AS "t6"
                              LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
                          ),
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
                          json_quote("t4"."id"),
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
                          json_quote("t4"."id"),
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
                          "t3"."id"
                        LIMIT
                          ?
                      ) AS "t9"
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
              '0[[',
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
              '0[[',
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
              "t1"."id"
            LIMIT
              ?
          ) AS "t10"
      ) AS "t2"
  ) AS "r0"
