SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          "t1"."number" = ?
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      )
    SELECT
      concat (
        '{"aggregate":',
        (
          SELECT
            concat (
              '{"count":',
              "t6"."a1",
              ',"sum":{"total":',
              coalesce(
                '"' || bifold_sum ("t6"."a2", "t6"."a3", 2) || '"',
                'null'
              ),
              '},"avg":{"total":',
              CASE
                WHEN "t6"."a5" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN typeof(
                      (
                        CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                      )
                    ) IN ('real', 'integer')
                    AND (
                      CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                    ) BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE (
                        CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                      )
                      WHEN CAST(
                        format(
                          '%.15g',
                          (
                            CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                          )
                        ) AS REAL
                      ) THEN format(
                        '%.15g',
                        (
                          CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                        )
                      )
                      WHEN CAST(
                        format(
                          '%.16g',
                          (
                            CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                          )
                        ) AS REAL
                      ) THEN format(
                        '%.16g',
                        (
                          CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                        )
                      )
                      ELSE format(
                        '%!.17g',
                        (
                          CAST(bifold_sum ("t6"."a5", "t6"."a6", 2) AS REAL) / "t6"."a7"
                        )
                      )
                    END
                  END,
                  char(3)
                )
              END,
              '},"max":{"number":',
              CASE
                WHEN "t6"."a8" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE typeof("t6"."a8")
                    WHEN 'text' THEN json_quote("t6"."a8")
                  END,
                  char(3)
                )
              END,
              '}}'
            )
          FROM
            (
              SELECT
                count(*) AS "a1",
                sum("t5"."total" >> 32) AS "a2",
                sum("t5"."total" & 4294967295) AS "a3",
                count("t5"."total") AS "a4",
                sum("t5"."total" >> 32) AS "a5",
                sum("t5"."total" & 4294967295) AS "a6",
                count("t5"."total") AS "a7",
                max("t5"."number") AS "a8"
              FROM
                "order" AS "t5"
              WHERE
                "t5"."number" = ?
            ) AS "t6"
        ),
        ',"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":',
              coalesce(
                CASE typeof(('ord_' || "t2"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t2"."id"))
                END,
                char(3)
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t2"."id"
                FROM
                  "t3" AS "t2"
                LIMIT
                  1
                OFFSET
                  + ?
              )
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > + ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                coalesce(
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + ?
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
                coalesce(
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t3" AS "t2"
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
                coalesce(
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t4".*,
                  row_number() OVER () AS "number_"
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
              "t2"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
