SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      )
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
        coalesce(
          string_agg (concat ('{"id":"exhibit_', "t2"."id", '"}'), ','),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t3" AS "t2"
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
              concat (char(1), '0[[', "t2"."id", ']]', char(2))
            FROM
              (
                SELECT
                  *
                FROM
                  "t3"
                LIMIT
                  + ?
              ) AS "t2"
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
              concat (char(1), '0[[', "t2"."id", ']]', char(2))
            FROM
              (
                SELECT
                  *
                FROM
                  "t3"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (char(1), '0[[', "t2"."id", ']]', char(2))
            FROM
              (
                SELECT
                  "t4".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t3"
                    LIMIT
                      + ?
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
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
          *
        FROM
          "t3"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
