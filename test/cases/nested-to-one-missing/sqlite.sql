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
              "category" AS "t4"
            ORDER BY
              "t4"."id"
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
                json_quote("t5"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t4"."id" AS "id"
                FROM
                  "category" AS "t4"
                ORDER BY
                  "t4"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t5"
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
                json_quote("t5"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t4"."id" AS "id"
                FROM
                  "category" AS "t4"
                ORDER BY
                  "t4"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t5"
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t5"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t6".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t4"."id" AS "id"
                    FROM
                      "category" AS "t4"
                    ORDER BY
                      "t4"."id"
                    LIMIT
                      + ?
                  ) AS "t6"
              ) AS "t5"
            ORDER BY
              "t5"."number" DESC
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
            '{"id":"cat_',
            "t1"."id",
            '","name":',
            json_quote("t1"."name"),
            ',"parent":',
            CASE
              WHEN "t3"."id" IS NOT NULL THEN concat (
                '{"id":"cat_',
                "t3"."id",
                '","name":',
                json_quote("t3"."name"),
                '}'
              )
              ELSE 'null'
            END,
            '}'
          ) AS "item"
        FROM
          "category" AS "t1"
          LEFT JOIN "category" AS "t3" ON "t3"."id" = "t1"."parent_id"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
