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
                    '{"key":{"mood":',
                    coalesce(json_quote("t6"."a1"), 'null'),
                    '},"count":',
                    "t6"."a2",
                    ',"max":{"madeOn":',
                    coalesce('"' || "t6"."a3" || '"', 'null'),
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
                "t5"."mood" AS "a1",
                count(*) AS "a2",
                max("t5"."made_on") AS "a3"
              FROM
                "exhibit" AS "t5"
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
              "exhibit" AS "t3"
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
              concat (char(1), '0[[', "t4"."id", ']]', char(2))
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "exhibit" AS "t3"
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
              concat (char(1), '0[[', "t4"."id", ']]', char(2))
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "exhibit" AS "t3"
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
              concat (char(1), '0[[', "t4"."id", ']]', char(2))
            FROM
              (
                SELECT
                  "t7".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "exhibit" AS "t3"
                    ORDER BY
                      "t3"."id"
                    LIMIT
                      + ?
                  ) AS "t7"
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
          concat ('{"id":"exhibit_', "t1"."id", '"}') AS "item"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
