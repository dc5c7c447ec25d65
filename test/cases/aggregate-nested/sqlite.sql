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
              "customer" AS "t8"
            ORDER BY
              "t8"."id"
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
                '1[[',
                json_quote("t9"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t8"."id" AS "id"
                FROM
                  "customer" AS "t8"
                ORDER BY
                  "t8"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t9"
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '1[[',
                json_quote("t9"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t8"."id" AS "id"
                FROM
                  "customer" AS "t8"
                ORDER BY
                  "t8"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t9"
          ),
          (
            SELECT
              concat (
                char(1),
                '1[[',
                json_quote("t9"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t10".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t8"."id" AS "id"
                    FROM
                      "customer" AS "t8"
                    ORDER BY
                      "t8"."id"
                    LIMIT
                      + ?
                  ) AS "t10"
              ) AS "t9"
            ORDER BY
              "t9"."number" DESC
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
            '{"id":"cus_',
            "t1"."id",
            '","orders":',
            (
              SELECT
                concat (
                  '{"aggregate":',
                  (
                    SELECT
                      concat (
                        '{"count":',
                        "t7"."a1",
                        ',"sum":{"total":',
                        coalesce(
                          '"' || bifold_sum ("t7"."a2", "t7"."a3", 2) || '"',
                          'null'
                        ),
                        '}}'
                      )
                    FROM
                      (
                        SELECT
                          count(*) AS "a1",
                          sum("t6"."total" >> 32) AS "a2",
                          sum("t6"."total" & 4294967295) AS "a3",
                          count("t6"."total") AS "a4"
                        FROM
                          "order" AS "t6"
                        WHERE
                          "t6"."customer_id" = "t1"."id"
                      ) AS "t7"
                  ),
                  ',"nodes":[',
                  coalesce(
                    string_agg (concat ('{"id":"ord_', "t4"."id", '"}'), ','),
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
                            "t3"."id" AS "id"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
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
                            "t3"."id" AS "id"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
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
                            "t3"."id" AS "id"
                          FROM
                            "order" AS "t3"
                          WHERE
                            "t3"."customer_id" = "t1"."id"
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
                            "t5".*,
                            row_number() OVER () AS "number_"
                          FROM
                            (
                              SELECT
                                "t3"."id" AS "id"
                              FROM
                                "order" AS "t3"
                              WHERE
                                "t3"."customer_id" = "t1"."id"
                              ORDER BY
                                "t3"."id"
                              LIMIT
                                + ?
                            ) AS "t5"
                        ) AS "t4"
                      ORDER BY
                        "t4"."number_" DESC
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
                    "t3"."id" AS "id"
                  FROM
                    "order" AS "t3"
                  WHERE
                    "t3"."customer_id" = "t1"."id"
                  ORDER BY
                    "t3"."id"
                  LIMIT
                    + ?
                ) AS "t4"
            ),
            '}'
          ) AS "item"
        FROM
          "customer" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
