SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."placed_at" AS "placed_at",
          "t1"."total" AS "total"
        FROM
          "order" AS "t1"
        WHERE
          (
            "t1"."placed_at" IS NOT NULL
            OR "t1"."placed_at" IS NULL
            AND (
              "t1"."total" > ?
              OR "t1"."total" = ?
              AND "t1"."id" > ?
            )
          )
        ORDER BY
          "t1"."placed_at" DESC NULLS FIRST,
          "t1"."total",
          "t1"."id"
        LIMIT
          + ?
      )
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"ord_',
              "t2"."id",
              '","placedAt":',
              coalesce(
                '"' || rtrim(rtrim(substr("t2"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
                'null'
              ),
              ',"total":"',
              CASE
                WHEN "t2"."total" < 0 THEN '-'
                ELSE ''
              END,
              abs("t2"."total" / 100),
              '.',
              substr(100 + abs("t2"."total" % 100), 2),
              '"}'
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
        ',"hasPreviousPage":true,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  '"' || rtrim(rtrim(substr("t2"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',',
                CASE
                  WHEN "t2"."total" >= 0 THEN concat (
                    '"',
                    "t2"."total" / 100,
                    '.',
                    substr(100 + ("t2"."total" % 100), 2),
                    '"'
                  )
                  WHEN "t2"."total" < 0 THEN concat (
                    '"-',
                    - ("t2"."total" / 100),
                    '.',
                    substr(100 - ("t2"."total" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t2"."id"),
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
                '0[',
                coalesce(
                  '"' || rtrim(rtrim(substr("t2"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',',
                CASE
                  WHEN "t2"."total" >= 0 THEN concat (
                    '"',
                    "t2"."total" / 100,
                    '.',
                    substr(100 + ("t2"."total" % 100), 2),
                    '"'
                  )
                  WHEN "t2"."total" < 0 THEN concat (
                    '"-',
                    - ("t2"."total" / 100),
                    '.',
                    substr(100 - ("t2"."total" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t2"."id"),
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
                '0[',
                coalesce(
                  '"' || rtrim(rtrim(substr("t2"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',',
                CASE
                  WHEN "t2"."total" >= 0 THEN concat (
                    '"',
                    "t2"."total" / 100,
                    '.',
                    substr(100 + ("t2"."total" % 100), 2),
                    '"'
                  )
                  WHEN "t2"."total" < 0 THEN concat (
                    '"-',
                    - ("t2"."total" / 100),
                    '.',
                    substr(100 - ("t2"."total" % 100), 2),
                    '"'
                  )
                END,
                ',[',
                json_quote("t2"."id"),
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
