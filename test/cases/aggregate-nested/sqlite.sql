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
                "customer" AS "t11"
              WHERE
                "t11"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t11"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t9"
              ORDER BY
                "t9"."id"
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
                  '{"aggregate":',
                  (
                    SELECT
                      concat (
                        '{"count":',
                        "t8"."a1",
                        ',"sum":{"total":',
                        coalesce(
                          '"' || bifold_sum ("t8"."a2", "t8"."a3", 2) || '"',
                          'null'
                        ),
                        '}}'
                      )
                    FROM
                      (
                        SELECT
                          count(*) AS "a1",
                          sum("t7"."total" >> 32) AS "a2",
                          sum("t7"."total" & 4294967295) AS "a3",
                          count("t7"."total") AS "a4"
                        FROM
                          "order" AS "t7"
                        WHERE
                          "t7"."customer_id" = "t1"."id"
                      ) AS "t8"
                  ),
                  ',"nodes":[',
                  coalesce(
                    string_agg (concat ('{"id":"ord_', "t4"."id", '"}'), ','),
                    ''
                  ),
                  '],"pageInfo":{"hasNextPage":',
                  CASE
                    WHEN count(*) = + ?
                    AND CASE
                      WHEN + ? > 0 THEN EXISTS (
                        SELECT
                          1
                        FROM
                          "order" AS "t6"
                        WHERE
                          "t6"."customer_id" = "t1"."id"
                          AND "t6"."id" > (
                            SELECT
                              max("t4"."id")
                          )
                        ORDER BY
                          "t6"."id"
                        LIMIT
                          1
                      )
                      ELSE EXISTS (
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
                      )
                    END THEN 'true'
                    ELSE 'false'
                  END,
                  ',"hasPreviousPage":false,"startCursor":',
                  coalesce(
                    CASE
                      WHEN count(*) > 0 THEN concat (
                        char(1),
                        '0[[',
                        json_quote(min("t4"."id")),
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
                        '0[[',
                        json_quote(max("t4"."id")),
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
