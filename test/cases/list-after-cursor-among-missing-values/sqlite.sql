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
                  '"' || CASE
                    WHEN "t4"."placed_at" GLOB '????-??-??T??:??:??.??????Z'
                    AND unixepoch("t4"."placed_at") IS NOT NULL THEN rtrim(rtrim(substr("t4"."placed_at", 1, 26), '0'), '.') || 'Z'
                  END || '"',
                  CASE
                    WHEN "t4"."placed_at" IS NOT NULL THEN json_array(
                      typeof("t4"."placed_at"),
                      CASE typeof("t4"."placed_at")
                        WHEN 'blob' THEN hex("t4"."placed_at")
                        WHEN 'real' THEN format('%!.17g', "t4"."placed_at")
                        ELSE CAST("t4"."placed_at" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t4"."id")
                    WHEN 'text' THEN json_quote("t4"."id")
                  END,
                  CASE
                    WHEN "t4"."id" IS NOT NULL THEN json_array(
                      typeof("t4"."id"),
                      CASE typeof("t4"."id")
                        WHEN 'blob' THEN hex("t4"."id")
                        WHEN 'real' THEN format('%!.17g', "t4"."id")
                        ELSE CAST("t4"."id" AS TEXT)
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
                  '"' || CASE
                    WHEN "t4"."placed_at" GLOB '????-??-??T??:??:??.??????Z'
                    AND unixepoch("t4"."placed_at") IS NOT NULL THEN rtrim(rtrim(substr("t4"."placed_at", 1, 26), '0'), '.') || 'Z'
                  END || '"',
                  CASE
                    WHEN "t4"."placed_at" IS NOT NULL THEN json_array(
                      typeof("t4"."placed_at"),
                      CASE typeof("t4"."placed_at")
                        WHEN 'blob' THEN hex("t4"."placed_at")
                        WHEN 'real' THEN format('%!.17g', "t4"."placed_at")
                        ELSE CAST("t4"."placed_at" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t4"."id")
                    WHEN 'text' THEN json_quote("t4"."id")
                  END,
                  CASE
                    WHEN "t4"."id" IS NOT NULL THEN json_array(
                      typeof("t4"."id"),
                      CASE typeof("t4"."id")
                        WHEN 'blob' THEN hex("t4"."id")
                        WHEN 'real' THEN format('%!.17g', "t4"."id")
                        ELSE CAST("t4"."id" AS TEXT)
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
                  '"' || CASE
                    WHEN "t4"."placed_at" GLOB '????-??-??T??:??:??.??????Z'
                    AND unixepoch("t4"."placed_at") IS NOT NULL THEN rtrim(rtrim(substr("t4"."placed_at", 1, 26), '0'), '.') || 'Z'
                  END || '"',
                  CASE
                    WHEN "t4"."placed_at" IS NOT NULL THEN json_array(
                      typeof("t4"."placed_at"),
                      CASE typeof("t4"."placed_at")
                        WHEN 'blob' THEN hex("t4"."placed_at")
                        WHEN 'real' THEN format('%!.17g', "t4"."placed_at")
                        ELSE CAST("t4"."placed_at" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t4"."id")
                    WHEN 'text' THEN json_quote("t4"."id")
                  END,
                  CASE
                    WHEN "t4"."id" IS NOT NULL THEN json_array(
                      typeof("t4"."id"),
                      CASE typeof("t4"."id")
                        WHEN 'blob' THEN hex("t4"."id")
                        WHEN 'real' THEN format('%!.17g', "t4"."id")
                        ELSE CAST("t4"."id" AS TEXT)
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
            '{"id":',
            coalesce(
              CASE typeof(('ord_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
              END,
              char(3)
            ),
            ',"placedAt":',
            CASE
              WHEN "t1"."placed_at" IS NULL THEN 'null'
              ELSE coalesce(
                '"' || CASE
                  WHEN "t1"."placed_at" GLOB '????-??-??T??:??:??.??????Z'
                  AND unixepoch("t1"."placed_at") IS NOT NULL THEN rtrim(rtrim(substr("t1"."placed_at", 1, 26), '0'), '.') || 'Z'
                END || '"',
                char(3)
              )
            END,
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
