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
              coalesce(
                '{"id":"exhibit_' || CASE
                  WHEN typeof("t2"."id") = 'integer'
                  AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                END || '","seenAt":',
                '{"id":' || char(3) || ',"seenAt":'
              ),
              CASE
                WHEN "t2"."seen_at" IS NULL THEN 'null'
                ELSE coalesce(
                  '"' || CASE
                    WHEN "t2"."seen_at" GLOB '????-??-??T??:??:??.??????Z'
                    AND unixepoch("t2"."seen_at") IS NOT NULL THEN rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z'
                  END || '"',
                  char(3)
                )
              END,
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
                  '"' || CASE
                    WHEN "t2"."seen_at" GLOB '????-??-??T??:??:??.??????Z'
                    AND unixepoch("t2"."seen_at") IS NOT NULL THEN rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z'
                  END || '"',
                  CASE
                    WHEN "t2"."seen_at" IS NOT NULL THEN json_array(
                      typeof("t2"."seen_at"),
                      CASE typeof("t2"."seen_at")
                        WHEN 'blob' THEN hex("t2"."seen_at")
                        WHEN 'real' THEN format('%!.17g', "t2"."seen_at")
                        ELSE CAST("t2"."seen_at" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
                '0[',
                coalesce(
                  '"' || CASE
                    WHEN "t2"."seen_at" GLOB '????-??-??T??:??:??.??????Z'
                    AND unixepoch("t2"."seen_at") IS NOT NULL THEN rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z'
                  END || '"',
                  CASE
                    WHEN "t2"."seen_at" IS NOT NULL THEN json_array(
                      typeof("t2"."seen_at"),
                      CASE typeof("t2"."seen_at")
                        WHEN 'blob' THEN hex("t2"."seen_at")
                        WHEN 'real' THEN format('%!.17g', "t2"."seen_at")
                        ELSE CAST("t2"."seen_at" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
                '0[',
                coalesce(
                  '"' || CASE
                    WHEN "t2"."seen_at" GLOB '????-??-??T??:??:??.??????Z'
                    AND unixepoch("t2"."seen_at") IS NOT NULL THEN rtrim(rtrim(substr("t2"."seen_at", 1, 26), '0'), '.') || 'Z'
                  END || '"',
                  CASE
                    WHEN "t2"."seen_at" IS NOT NULL THEN json_array(
                      typeof("t2"."seen_at"),
                      CASE typeof("t2"."seen_at")
                        WHEN 'blob' THEN hex("t2"."seen_at")
                        WHEN 'real' THEN format('%!.17g', "t2"."seen_at")
                        ELSE CAST("t2"."seen_at" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
