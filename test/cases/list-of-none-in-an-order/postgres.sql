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
              "t1"."total" > $1::numeric
              OR "t1"."total" = $2::numeric
              AND ("t1"."id" COLLATE "C") > $3::text
            )
          )
        ORDER BY
          "t1"."placed_at" DESC,
          "t1"."total",
          ("t1"."id" COLLATE "C")
        LIMIT
          + $4::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('ord_' || "t2"."id")::text)::text,
                chr(3)
              ) || ',"placedAt":' || CASE
                WHEN "t2"."placed_at" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t2"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t2"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t2"."placed_at"::timestamptz AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  chr(3)
                )
              END || coalesce(
                ',"total":"' || CASE
                  WHEN scale("t2"."total") IS NOT NULL THEN round("t2"."total", 2)
                END || '"}',
                ',"total":' || chr(3) || '}'
              )
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."id" IS DISTINCT FROM (
                SELECT
                  "t2"."id"
                FROM
                  "t3" AS "t2"
                LIMIT
                  1
                OFFSET
                  + $5::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $6::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":true,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN "t2"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t2"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t2"."placed_at"::timestamptz AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  '["text",' || to_json("t2"."placed_at"::text)::text || ']',
                  'null'
                ) || ',' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."total") IS NOT NULL THEN round("t2"."total", 2)
                  END || '"',
                  '["text",' || to_json("t2"."total"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $7::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN "t2"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t2"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t2"."placed_at"::timestamptz AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  '["text",' || to_json("t2"."placed_at"::text)::text || ']',
                  'null'
                ) || ',' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."total") IS NOT NULL THEN round("t2"."total", 2)
                  END || '"',
                  '["text",' || to_json("t2"."total"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $8::bigint
            OFFSET
              + $9::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN "t2"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t2"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t2"."placed_at"::timestamptz AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  '["text",' || to_json("t2"."placed_at"::text)::text || ']',
                  'null'
                ) || ',' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."total") IS NOT NULL THEN round("t2"."total", 2)
                  END || '"',
                  '["text",' || to_json("t2"."total"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
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
                      + $10::bigint
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
