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
                    coalesce(json_quote("t5"."a1"), 'null'),
                    '},"count":',
                    "t5"."a2",
                    ',"max":{"madeOn":',
                    coalesce('"' || "t5"."a3" || '"', 'null'),
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
                "t4"."mood" AS "a1",
                count(*) AS "a2",
                max("t4"."made_on") AS "a3"
              FROM
                "exhibit" AS "t4"
              GROUP BY
                1
              ORDER BY
                1 NULLS LAST
              LIMIT
                ?
            ) AS "t5"
        ),
        ',"nodes":[',
        coalesce(
          string_agg (concat ('{"id":"exhibit_', "t2"."id", '"}'), ',') FILTER (
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
          max(concat (char(1), '0[[', "t2"."id", ']]', char(2))) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(concat (char(1), '0[[', "t2"."id", ']]', char(2))) FILTER (
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
          "t3".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "exhibit" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
