SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "category" AS "t10"
            ORDER BY
              "t10"."id"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t11"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t10"."id" AS "id"
                FROM
                  "category" AS "t10"
                ORDER BY
                  "t10"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t11"
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t11"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t10"."id" AS "id"
                FROM
                  "category" AS "t10"
                ORDER BY
                  "t10"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t11"
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t11"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t12".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t10"."id" AS "id"
                    FROM
                      "category" AS "t10"
                    ORDER BY
                      "t10"."id"
                    LIMIT
                      + ?
                  ) AS "t12"
              ) AS "t11"
            ORDER BY
              "t11"."number" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          concat (
            '{"id":"cat_',
            "t1"."id",
            '","name":',
            json_quote("t1"."name"),
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
                                ),
                                ''
                              ),
                              '],"pageInfo":{"hasNextPage":',
                              CASE
                                WHEN count(*) = + ?
                                AND EXISTS (
                                  SELECT
                                    1
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
                                        + ?
                                    ) AS "t6"
                                  LIMIT
                                    1
                                  OFFSET
                                    + ?
                                ) THEN 'true'
                                ELSE 'false'
                              END,
                              ',"hasPreviousPage":false,"startCursor":',
                              coalesce(
                                (
                                  SELECT
                                    concat (
                                      char(1),
                                      '0[[',
                                      json_quote("t6"."id"),
                                      ']]',
                                      char(2)
                                    )
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
                                        + ?
                                    ) AS "t6"
                                  LIMIT
                                    1
                                  OFFSET
                                    0
                                ),
                                'null'
                              ),
                              ',"endCursor":',
                              coalesce(
                                (
                                  SELECT
                                    concat (
                                      char(1),
                                      '0[[',
                                      json_quote("t6"."id"),
                                      ']]',
                                      char(2)
                                    )
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
                                        + ?
                                    ) AS "t6"
                                  LIMIT
                                    1
                                  OFFSET
                                    + ?
                                ),
                                (
                                  SELECT
                                    concat (
                                      char(1),
                                      '0[[',
                                      json_quote("t6"."id"),
                                      ']]',
                                      char(2)
                                    )
                                  FROM
                                    (
                                      SELECT
                                        "t8".*,
                                        row_number() OVER () AS "number"
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
                                            + ?
                                        ) AS "t8"
                                    ) AS "t6"
                                  ORDER BY
                                    "t6"."number" DESC
                                  LIMIT
                                    1
                                ),
                                'null'
                              ),
                              '}}'
                            )
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
                                + ?
                            ) AS "t6"
                            LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
                        ),
                        '}'
                      ),
                      ','
                    ),
                    ''
                  ),
                  '],"pageInfo":{"hasNextPage":',
                  CASE
                    WHEN count(*) = + ?
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        (
                          SELECT
                            "t3"."id" AS "id",
                            "t3"."name" AS "name"
                          FROM
                            "category" AS "t3"
                          WHERE
                            "t3"."parent_id" = "t1"."id"
                          ORDER BY
                            "t3"."id"
                          LIMIT
                            + ?
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + ?
                    ) THEN 'true'
                    ELSE 'false'
                  END,
                  ',"hasPreviousPage":false,"startCursor":',
                  coalesce(
                    (
                      SELECT
                        concat (
                          char(1),
                          '0[[',
                          json_quote("t4"."id"),
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t3"."id" AS "id",
                            "t3"."name" AS "name"
                          FROM
                            "category" AS "t3"
                          WHERE
                            "t3"."parent_id" = "t1"."id"
                          ORDER BY
                            "t3"."id"
                          LIMIT
                            + ?
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        0
                    ),
                    'null'
                  ),
                  ',"endCursor":',
                  coalesce(
                    (
                      SELECT
                        concat (
                          char(1),
                          '0[[',
                          json_quote("t4"."id"),
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t3"."id" AS "id",
                            "t3"."name" AS "name"
                          FROM
                            "category" AS "t3"
                          WHERE
                            "t3"."parent_id" = "t1"."id"
                          ORDER BY
                            "t3"."id"
                          LIMIT
                            + ?
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + ?
                    ),
                    (
                      SELECT
                        concat (
                          char(1),
                          '0[[',
                          json_quote("t4"."id"),
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t9".*,
                            row_number() OVER () AS "number"
                          FROM
                            (
                              SELECT
                                "t3"."id" AS "id",
                                "t3"."name" AS "name"
                              FROM
                                "category" AS "t3"
                              WHERE
                                "t3"."parent_id" = "t1"."id"
                              ORDER BY
                                "t3"."id"
                              LIMIT
                                + ?
                            ) AS "t9"
                        ) AS "t4"
                      ORDER BY
                        "t4"."number" DESC
                      LIMIT
                        1
                    ),
                    'null'
                  ),
                  '}}'
                )
              FROM
                (
                  SELECT
                    "t3"."id" AS "id",
                    "t3"."name" AS "name"
                  FROM
                    "category" AS "t3"
                  WHERE
                    "t3"."parent_id" = "t1"."id"
                  ORDER BY
                    "t3"."id"
                  LIMIT
                    + ?
                ) AS "t4"
            ),
            '}'
          ) AS "item"
        FROM
          "category" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
