SELECT
  (
    SELECT
      (
        '{"aggregate":' || (
          SELECT
            (
              '{"count":' || "t4"."a1" || ',"sum":{"total":' || CASE
                WHEN "t4"."a2" IS NULL THEN 'null'
                ELSE coalesce(
                  '"' || CASE
                    WHEN scale("t4"."a2") IS NOT NULL THEN round("t4"."a2", 2)
                  END || '"',
                  chr(3)
                )
              END || '},"avg":{"total":' || CASE
                WHEN "t4"."a3" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t4"."a3") < 'Infinity' THEN ("t4"."a3"::float8 + 0)::text
                  END,
                  chr(3)
                )
              END || '},"min":{"placedAt":' || CASE
                WHEN "t4"."a4" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t4"."a4" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t4"."a4" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(to_json("t4"."a4" AT TIME ZONE 'UTC')::text, '"') || 'Z"'
                  END,
                  chr(3)
                )
              END || ',"total":' || CASE
                WHEN "t4"."a5" IS NULL THEN 'null'
                ELSE coalesce(
                  '"' || CASE
                    WHEN scale("t4"."a5") IS NOT NULL THEN round("t4"."a5", 2)
                  END || '"',
                  chr(3)
                )
              END || '},"max":{"placedAt":' || CASE
                WHEN "t4"."a6" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t4"."a6" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t4"."a6" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(to_json("t4"."a6" AT TIME ZONE 'UTC')::text, '"') || 'Z"'
                  END,
                  chr(3)
                )
              END || '}}'
            )
          FROM
            (
              SELECT
                count(*) AS "a1",
                sum("t3"."total") AS "a2",
                sum("t3"."total")::float8 / nullif(count("t3"."total"), 0) AS "a3",
                min("t3"."placed_at") AS "a4",
                min("t3"."total") AS "a5",
                max("t3"."placed_at") AS "a6"
              FROM
                "order" AS "t3"
              WHERE
                "t3"."status" = ANY ($1::text[])
            ) AS "t4"
        ) || ',"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $2::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "order" AS "t1"
                  WHERE
                    "t1"."status" = ANY ($3::text[])
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $2::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)])::text,
                  chr(3)
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '}}'
        )
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              coalesce(
                '{"id":"ord_' || "t1"."id" || '"}',
                '{"id":' || chr(3) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              "t1"."status" = ANY ($3::text[])
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $2::bigint
      ) AS "t2"
  ) AS "r0"
