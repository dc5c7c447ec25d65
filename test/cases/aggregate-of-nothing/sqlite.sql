SELECT
  (
    SELECT
      concat (
        '{"aggregate":',
        (
          SELECT
            concat (
              '{"count":',
              "t5"."a1",
              ',"sum":{"total":',
              coalesce(
                '"' || bifold_sum ("t5"."a2", "t5"."a3", 2) || '"',
                'null'
              ),
              '},"avg":{"total":',
              CASE
                WHEN "t5"."a5" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs(
                      (
                        CAST(bifold_sum ("t5"."a5", "t5"."a6", 2) AS REAL) / "t5"."a7"
                      )
                    ) < 9e999 THEN CASE (
                        CAST(bifold_sum ("t5"."a5", "t5"."a6", 2) AS REAL) / "t5"."a7"
                      )
                      WHEN CAST(
                        format(
                          '%.15g',
                          (
                            CAST(bifold_sum ("t5"."a5", "t5"."a6", 2) AS REAL) / "t5"."a7"
                          )
                        ) AS REAL
                      ) THEN format(
                        '%.15g',
                        (
                          CAST(bifold_sum ("t5"."a5", "t5"."a6", 2) AS REAL) / "t5"."a7"
                        )
                      )
                      WHEN CAST(
                        format(
                          '%.16g',
                          (
                            CAST(bifold_sum ("t5"."a5", "t5"."a6", 2) AS REAL) / "t5"."a7"
                          )
                        ) AS REAL
                      ) THEN format(
                        '%.16g',
                        (
                          CAST(bifold_sum ("t5"."a5", "t5"."a6", 2) AS REAL) / "t5"."a7"
                        )
                      )
                      ELSE format(
                        '%!.17g',
                        (
                          CAST(bifold_sum ("t5"."a5", "t5"."a6", 2) AS REAL) / "t5"."a7"
                        )
                      )
                    END
                  END,
                  char(3)
                )
              END,
              '},"max":{"number":',
              coalesce(json_quote("t5"."a8"), 'null'),
              '}}'
            )
          FROM
            (
              SELECT
                count(*) AS "a1",
                sum("t4"."total" >> 32) AS "a2",
                sum("t4"."total" & 4294967295) AS "a3",
                count("t4"."total") AS "a4",
                sum("t4"."total" >> 32) AS "a5",
                sum("t4"."total" & 4294967295) AS "a6",
                count("t4"."total") AS "a7",
                max("t4"."number") AS "a8"
              FROM
                "order" AS "t4"
              WHERE
                "t4"."number" = ?
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
            WHERE
              "t1"."number" = ?
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
