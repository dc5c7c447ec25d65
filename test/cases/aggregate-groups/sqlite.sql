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
                    json_quote("t5"."a1"),
                    '},"count":',
                    "t5"."a2",
                    ',"sum":{"total":',
                    coalesce(
                      '"' || bifold_sum ("t5"."a3", "t5"."a4", 2) || '"',
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
                "t4"."status" AS "a1",
                count(*) AS "a2",
                sum("t4"."total" >> 32) AS "a3",
                sum("t4"."total" & 4294967295) AS "a4",
                count("t4"."total") AS "a5"
              FROM
                "order" AS "t4"
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
          string_agg (concat ('{"id":"ord_', "t2"."id", '"}'), ',') FILTER (
            WHERE
              "t2"."number_" <= ?
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
              "t2"."number_" = 1
              AND "t2"."number_" <= ?
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
              "t2"."number_" = CASE
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
