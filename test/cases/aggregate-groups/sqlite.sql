SELECT
  (
    SELECT
      concat (
        '{"groups":',
        (
          SELECT
            concat (
              '[',
              coalesce(
                string_agg (
                  concat (
                    '{"key":{"status":',
                    json_quote("t6"."a1"),
                    '},"count":',
                    "t6"."a2",
                    ',"sum":{"total":',
                    coalesce(
                      '"' || bifold_sum ("t6"."a3", "t6"."a4", 2) || '"',
                      'null'
                    ),
                    '}}'
                  ),
                  ','
                ),
                ''
              ),
              ']'
            )
          FROM
            (
              SELECT
                "t5"."status" AS "a1",
                count(*) AS "a2",
                sum("t5"."total" >> 32) AS "a3",
                sum("t5"."total" & 4294967295) AS "a4",
                count("t5"."total") AS "a5"
              FROM
                "order" AS "t5"
              GROUP BY
                1
              ORDER BY
                1 NULLS LAST
              LIMIT
                + ?
            ) AS "t6"
        ),
        ',"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "order" AS "t3"
            ORDER BY
              "t3"."id"
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
                ORDER BY
                  "t3"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t4"
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
                ORDER BY
                  "t3"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t4"
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
                  "t7".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "order" AS "t3"
                    ORDER BY
                      "t3"."id"
                    LIMIT
                      + ?
                  ) AS "t7"
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
          concat ('{"id":"ord_', "t1"."id", '"}') AS "item"
        FROM
          "order" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
