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
              "order" AS "t3"
            WHERE
              (
                "t3"."placed_at" IS NULL
                AND "t3"."id" > ?
              )
            ORDER BY
              "t3"."placed_at" NULLS LAST,
              "t3"."id"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":true,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  '"' || rtrim(rtrim(substr("t4"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',[',
                json_quote("t4"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."placed_at" AS "placed_at",
                  "t3"."id" AS "id"
                FROM
                  "order" AS "t3"
                WHERE
                  (
                    "t3"."placed_at" IS NULL
                    AND "t3"."id" > ?
                  )
                ORDER BY
                  "t3"."placed_at" NULLS LAST,
                  "t3"."id"
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
                '0[',
                coalesce(
                  '"' || rtrim(rtrim(substr("t4"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',[',
                json_quote("t4"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t3"."placed_at" AS "placed_at",
                  "t3"."id" AS "id"
                FROM
                  "order" AS "t3"
                WHERE
                  (
                    "t3"."placed_at" IS NULL
                    AND "t3"."id" > ?
                  )
                ORDER BY
                  "t3"."placed_at" NULLS LAST,
                  "t3"."id"
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
                '0[',
                coalesce(
                  '"' || rtrim(rtrim(substr("t4"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',[',
                json_quote("t4"."id"),
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
                      "t3"."placed_at" AS "placed_at",
                      "t3"."id" AS "id"
                    FROM
                      "order" AS "t3"
                    WHERE
                      (
                        "t3"."placed_at" IS NULL
                        AND "t3"."id" > ?
                      )
                    ORDER BY
                      "t3"."placed_at" NULLS LAST,
                      "t3"."id"
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
            '{"id":"ord_',
            "t1"."id",
            '","placedAt":',
            coalesce(
              '"' || rtrim(rtrim(substr("t1"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
              'null'
            ),
            '}'
          ) AS "item"
        FROM
          "order" AS "t1"
        WHERE
          (
            "t1"."placed_at" IS NULL
            AND "t1"."id" > ?
          )
        ORDER BY
          "t1"."placed_at" NULLS LAST,
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
