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
              "tag" AS "t3"
            ORDER BY
              "t3"."name"
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
                json_quote("t4"."name"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."name" AS "name"
                FROM
                  "tag" AS "t3"
                ORDER BY
                  "t3"."name"
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
                json_quote("t4"."name"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."name" AS "name"
                FROM
                  "tag" AS "t3"
                ORDER BY
                  "t3"."name"
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
                json_quote("t4"."name"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."name" AS "name"
                    FROM
                      "tag" AS "t3"
                    ORDER BY
                      "t3"."name"
                    LIMIT
                      + ?
                  ) AS "t5"
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
          concat (
            '{"id":',
            json_quote('tag_' || "t1"."name"),
            ',"name":',
            json_quote("t1"."name"),
            ',"featured":',
            CASE "t1"."featured"
              WHEN 1 THEN 'true'
              WHEN 0 THEN 'false'
            END,
            '}'
          ) AS "item"
        FROM
          "tag" AS "t1"
        ORDER BY
          "t1"."name"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
