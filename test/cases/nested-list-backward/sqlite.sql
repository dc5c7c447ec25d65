SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND CASE
            WHEN + ? > 0 THEN EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t9"
              WHERE
                "t9"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t9"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t7"
              ORDER BY
                "t7"."id"
              LIMIT
                1
              OFFSET
                + ?
            )
          END THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '1[[',
              json_quote(min("t2"."key")),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        ',"endCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '1[[',
              json_quote(max("t2"."key")),
              ']]',
              char(2)
            )
          END,
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
                  '{"nodes":[',
                  coalesce(
                    string_agg (
                      concat (
                        '{"id":"ord_',
                        "t4"."id",
                        '","number":',
                        json_quote("t4"."number"),
                        '}'
                      ),
                      ','
                      ORDER BY
                        "t4"."number_" DESC
                    ),
                    ''
                  ),
                  '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":',
                  CASE
                    WHEN count(*) = + ?
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        (
                          SELECT
                            "t6".*,
                            row_number() OVER () AS "number_"
                          FROM
                            (
                              SELECT
                                "t3"."id" AS "id",
                                "t3"."number" AS "number"
                              FROM
                                "order" AS "t3"
                              WHERE
                                "t3"."customer_id" = "t1"."id"
                              ORDER BY
                                "t3"."id" DESC
                              LIMIT
                                + ?
                            ) AS "t6"
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + ?
                    ) THEN 'true'
                    ELSE 'false'
                  END,
                  ',"startCursor":',
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
                            "t5".*,
                            row_number() OVER () AS "number_"
                          FROM
                            (
                              SELECT
                                "t3"."id" AS "id",
                                "t3"."number" AS "number"
                              FROM
                                "order" AS "t3"
                              WHERE
                                "t3"."customer_id" = "t1"."id"
                              ORDER BY
                                "t3"."id" DESC
                              LIMIT
                                + ?
                            ) AS "t5"
                        ) AS "t4"
                      LIMIT
                        + ?
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
                                "t3"."id" AS "id",
                                "t3"."number" AS "number"
                              FROM
                                "order" AS "t3"
                              WHERE
                                "t3"."customer_id" = "t1"."id"
                              ORDER BY
                                "t3"."id" DESC
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
                            "t5".*,
                            row_number() OVER () AS "number_"
                          FROM
                            (
                              SELECT
                                "t3"."id" AS "id",
                                "t3"."number" AS "number"
                              FROM
                                "order" AS "t3"
                              WHERE
                                "t3"."customer_id" = "t1"."id"
                              ORDER BY
                                "t3"."id" DESC
                              LIMIT
                                + ?
                            ) AS "t5"
                        ) AS "t4"
                      LIMIT
                        + ?
                      OFFSET
                        0
                    ),
                    'null'
                  ),
                  '}}'
                )
              FROM
                (
                  SELECT
                    "t5".*,
                    row_number() OVER () AS "number_"
                  FROM
                    (
                      SELECT
                        "t3"."id" AS "id",
                        "t3"."number" AS "number"
                      FROM
                        "order" AS "t3"
                      WHERE
                        "t3"."customer_id" = "t1"."id"
                      ORDER BY
                        "t3"."id" DESC
                      LIMIT
                        + ?
                    ) AS "t5"
                ) AS "t4"
            ),
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "customer" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
