SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "place" AS "t3"
            ORDER BY
              "t3"."hall",
              "t3"."number"
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
                coalesce(
                  CASE typeof("t4"."hall")
                    WHEN 'text' THEN json_quote("t4"."hall")
                  END,
                  CASE
                    WHEN "t4"."hall" IS NOT NULL THEN json_array(
                      typeof("t4"."hall"),
                      CASE typeof("t4"."hall")
                        WHEN 'blob' THEN hex("t4"."hall")
                        WHEN 'real' THEN format('%!.17g', "t4"."hall")
                        ELSE CAST("t4"."hall" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t4"."number") = 'integer'
                    AND "t4"."number" BETWEEN -2147483648 AND 2147483647 THEN "t4"."number"
                  END,
                  CASE
                    WHEN "t4"."number" IS NOT NULL THEN json_array(
                      typeof("t4"."number"),
                      CASE typeof("t4"."number")
                        WHEN 'blob' THEN hex("t4"."number")
                        WHEN 'real' THEN format('%!.17g', "t4"."number")
                        ELSE CAST("t4"."number" AS TEXT)
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
                  "t3"."hall" AS "hall",
                  "t3"."number" AS "number"
                FROM
                  "place" AS "t3"
                ORDER BY
                  "t3"."hall",
                  "t3"."number"
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
                coalesce(
                  CASE typeof("t4"."hall")
                    WHEN 'text' THEN json_quote("t4"."hall")
                  END,
                  CASE
                    WHEN "t4"."hall" IS NOT NULL THEN json_array(
                      typeof("t4"."hall"),
                      CASE typeof("t4"."hall")
                        WHEN 'blob' THEN hex("t4"."hall")
                        WHEN 'real' THEN format('%!.17g', "t4"."hall")
                        ELSE CAST("t4"."hall" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t4"."number") = 'integer'
                    AND "t4"."number" BETWEEN -2147483648 AND 2147483647 THEN "t4"."number"
                  END,
                  CASE
                    WHEN "t4"."number" IS NOT NULL THEN json_array(
                      typeof("t4"."number"),
                      CASE typeof("t4"."number")
                        WHEN 'blob' THEN hex("t4"."number")
                        WHEN 'real' THEN format('%!.17g', "t4"."number")
                        ELSE CAST("t4"."number" AS TEXT)
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
                  "t3"."hall" AS "hall",
                  "t3"."number" AS "number"
                FROM
                  "place" AS "t3"
                ORDER BY
                  "t3"."hall",
                  "t3"."number"
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
                coalesce(
                  CASE typeof("t4"."hall")
                    WHEN 'text' THEN json_quote("t4"."hall")
                  END,
                  CASE
                    WHEN "t4"."hall" IS NOT NULL THEN json_array(
                      typeof("t4"."hall"),
                      CASE typeof("t4"."hall")
                        WHEN 'blob' THEN hex("t4"."hall")
                        WHEN 'real' THEN format('%!.17g', "t4"."hall")
                        ELSE CAST("t4"."hall" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t4"."number") = 'integer'
                    AND "t4"."number" BETWEEN -2147483648 AND 2147483647 THEN "t4"."number"
                  END,
                  CASE
                    WHEN "t4"."number" IS NOT NULL THEN json_array(
                      typeof("t4"."number"),
                      CASE typeof("t4"."number")
                        WHEN 'blob' THEN hex("t4"."number")
                        WHEN 'real' THEN format('%!.17g', "t4"."number")
                        ELSE CAST("t4"."number" AS TEXT)
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
                  "t5".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      "t3"."hall" AS "hall",
                      "t3"."number" AS "number"
                    FROM
                      "place" AS "t3"
                    ORDER BY
                      "t3"."hall",
                      "t3"."number"
                    LIMIT
                      + ?
                  ) AS "t5"
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
          concat (
            '{',
            CASE
              WHEN (
                SELECT
                  bifold_columns (
                    '["place",["hall","TEXT",1],["number","INTEGER",1]]'
                  )
              ) THEN concat (
                '"id":',
                coalesce(
                  CASE
                    WHEN (
                      'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || CASE
                        WHEN "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                      END
                    ) IS NOT NULL THEN json_quote(
                      (
                        'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || CASE
                          WHEN "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                        END
                      )
                    )
                  END,
                  char(3)
                ),
                ',"hall":',
                json_quote("t1"."hall"),
                ',"number":',
                CASE
                  WHEN "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                  ELSE char(3)
                END
              )
              ELSE concat (
                '"id":',
                coalesce(
                  CASE typeof(
                      (
                        'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || CASE
                          WHEN typeof("t1"."number") = 'integer'
                          AND "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                        END
                      )
                    )
                    WHEN 'text' THEN json_quote(
                      (
                        'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || CASE
                          WHEN typeof("t1"."number") = 'integer'
                          AND "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                        END
                      )
                    )
                  END,
                  char(3)
                ),
                ',"hall":',
                coalesce(
                  CASE typeof("t1"."hall")
                    WHEN 'text' THEN json_quote("t1"."hall")
                  END,
                  char(3)
                ),
                ',"number":',
                coalesce(
                  CASE
                    WHEN typeof("t1"."number") = 'integer'
                    AND "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."number"
                  END,
                  char(3)
                )
              )
            END,
            '}'
          ) AS "item"
        FROM
          "place" AS "t1"
        ORDER BY
          "t1"."hall",
          "t1"."number"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
