SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $1::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "exhibit" AS "t1"
                  ORDER BY
                    "t1"."seen_at" NULLS FIRST,
                    "t1"."id"
                  LIMIT
                    101
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || CASE
                  WHEN (array_agg("t2"."seen_at")) [1] IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN (array_agg("t2"."seen_at")) [1] >= TIMESTAMPTZ '0001-01-01Z'
                      AND (array_agg("t2"."seen_at")) [1] < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                        to_json(
                          (array_agg("t2"."seen_at")) [1] AT TIME ZONE 'UTC'
                        )::text,
                        '"'
                      ) || 'Z"'
                    END,
                    chr(3)
                  )
                END || ',[' || coalesce((array_agg("t2"."id")) [1]::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || CASE
                  WHEN (array_agg("t2"."seen_at")) [count(*)] IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN (array_agg("t2"."seen_at")) [count(*)] >= TIMESTAMPTZ '0001-01-01Z'
                      AND (array_agg("t2"."seen_at")) [count(*)] < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                        to_json(
                          (array_agg("t2"."seen_at")) [count(*)] AT TIME ZONE 'UTC'
                        )::text,
                        '"'
                      ) || 'Z"'
                    END,
                    chr(3)
                  )
                END || ',[' || coalesce((array_agg("t2"."id")) [count(*)]::text, chr(3)) || ']]' || chr(2)
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
              (
                coalesce(
                  '{"id":"exhibit_' || "t1"."id" || '","seenAt":',
                  '{"id":' || chr(3) || ',"seenAt":'
                ) || CASE
                  WHEN "t1"."seen_at" IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN "t1"."seen_at" >= TIMESTAMPTZ '0001-01-01Z'
                      AND "t1"."seen_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                        to_json("t1"."seen_at" AT TIME ZONE 'UTC')::text,
                        '"'
                      ) || 'Z"'
                    END,
                    chr(3)
                  )
                END || '}'
              ) AS "item",
              "t1"."seen_at" AS "seen_at",
              "t1"."id" AS "id"
            FROM
              "exhibit" AS "t1"
            ORDER BY
              "t1"."seen_at" NULLS FIRST,
              "t1"."id"
            LIMIT
              101
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
