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
                    coalesce(json_quote("t7"."a1"), 'null'),
                    '},"count":',
                    "t7"."a2",
                    ',"max":{"madeOn":',
                    coalesce('"' || "t7"."a3" || '"', 'null'),
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
                "t6"."mood" AS "a1",
                count(*) AS "a2",
                max("t6"."made_on") AS "a3"
              FROM
                "exhibit" AS "t6"
              GROUP BY
                1
              ORDER BY
                1 NULLS LAST
              LIMIT
                + ?
            ) AS "t7"
        ),
        ',"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND CASE
            WHEN + ? > 0 THEN EXISTS (
              SELECT
                1
              FROM
                "exhibit" AS "t5"
              WHERE
                "t5"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t5"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
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
            )
          END THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (char(1), '0[[', min("t2"."key"), ']]', char(2))
          END,
          'null'
        ),
        ',"endCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (char(1), '0[[', max("t2"."key"), ']]', char(2))
          END,
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          concat ('{"id":"exhibit_', "t1"."id", '"}') AS "item",
          "t1"."id" AS "key"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
