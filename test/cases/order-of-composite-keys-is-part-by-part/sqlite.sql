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
                json_quote("t4"."hall"),
                ',',
                "t4"."number",
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
                json_quote("t4"."hall"),
                ',',
                "t4"."number",
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
                json_quote("t4"."hall"),
                ',',
                "t4"."number",
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
            '{"id":',
            json_quote(
              'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || "t1"."number"
            ),
            ',"hall":',
            json_quote("t1"."hall"),
            ',"number":',
            "t1"."number",
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
