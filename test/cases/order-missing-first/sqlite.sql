SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."seen_at" AS "seen_at"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."seen_at",
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
              '{"id":"exhibit_',
              "t2"."id",
              '","seenAt":',
              coalesce(
                '"' || rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z' || '"',
                'null'
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
                '0[',
                coalesce(
                  '"' || rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',[',
                "t2"."id",
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
                  '"' || rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',[',
                "t2"."id",
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
                  '"' || rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z' || '"',
                  'null'
                ),
                ',[',
                "t2"."id",
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
