SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "exhibit" AS "t1"
        WHERE
          (
            "t1"."floor" IN (
              SELECT
                "value"
              FROM
                json_each(?)
            )
            AND "t1"."visitors" > ?
          )
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
              ',"sum":{"visitors":',
              coalesce(
                '"' || bifold_sum ("t6"."a2", "t6"."a3", 0) || '"',
                'null'
              ),
              ',"floor":',
              CASE
                WHEN "t6"."a5" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t6"."a5" + ("t6"."a6" >> 32) BETWEEN -2147483648 AND 2147483647 THEN '"' || bifold_sum ("t6"."a5", "t6"."a6", 0) || '"'
                  END,
                  char(3)
                )
              END,
              '},"avg":{"visitors":',
              CASE
                WHEN "t6"."a8" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN typeof(
                      (
                        CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                      )
                    ) IN ('real', 'integer')
                    AND (
                      CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                    ) BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE (
                        CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                      )
                      WHEN CAST(
                        format(
                          '%.15g',
                          (
                            CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                          )
                        ) AS REAL
                      ) THEN format(
                        '%.15g',
                        (
                          CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                        )
                      )
                      WHEN CAST(
                        format(
                          '%.16g',
                          (
                            CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                          )
                        ) AS REAL
                      ) THEN format(
                        '%.16g',
                        (
                          CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                        )
                      )
                      ELSE format(
                        '%!.17g',
                        (
                          CAST(bifold_sum ("t6"."a8", "t6"."a9", 0) AS REAL) / "t6"."a10"
                        )
                      )
                    END
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
                sum("t5"."visitors" >> 32) AS "a2",
                sum("t5"."visitors" & 4294967295) AS "a3",
                count("t5"."visitors") AS "a4",
                sum("t5"."floor" >> 32) AS "a5",
                sum("t5"."floor" & 4294967295) AS "a6",
                count("t5"."floor") AS "a7",
                sum("t5"."visitors" >> 32) AS "a8",
                sum("t5"."visitors" & 4294967295) AS "a9",
                count("t5"."visitors") AS "a10"
              FROM
                "exhibit" AS "t5"
              WHERE
                (
                  "t5"."floor" IN (
                    SELECT
                      "value"
                    FROM
                      json_each(?)
                  )
                  AND "t5"."visitors" > ?
                )
            ) AS "t6"
        ),
        ',"nodes":[',
        coalesce(
          string_agg (
            coalesce(
              '{"id":"exhibit_' || CASE
                WHEN typeof("t2"."id") = 'integer'
                AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
              END || '"}',
              '{"id":' || char(3) || '}'
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
                  CASE
                    WHEN typeof("t2"."id") = 'integer'
                    AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
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
                  CASE
                    WHEN typeof("t2"."id") = 'integer'
                    AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
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
                  CASE
                    WHEN typeof("t2"."id") = 'integer'
                    AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
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
      "t3" AS "t2"
  ) AS "r0"
