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
                    "order" AS "t1"
                  WHERE
                    (
                      "t1"."placed_at" IS NULL
                      AND ("t1"."id" COLLATE "C") > $2::text
                    )
                  ORDER BY
                    "t1"."placed_at",
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":true,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN (array_agg("t2"."placed_at")) [1] >= TIMESTAMPTZ '0001-01-01Z'
                    AND (array_agg("t2"."placed_at")) [1] < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json(
                        (array_agg("t2"."placed_at")) [1]::timestamptz AT TIME ZONE 'UTC'
                      )::text,
                      '"'
                    ) || 'Z"'
                  END,
                  '["text",' || to_json((array_agg("t2"."placed_at")) [1]::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN (array_agg("t2"."placed_at")) [count(*)] >= TIMESTAMPTZ '0001-01-01Z'
                    AND (array_agg("t2"."placed_at")) [count(*)] < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json(
                        (array_agg("t2"."placed_at")) [count(*)]::timestamptz AT TIME ZONE 'UTC'
                      )::text,
                      '"'
                    ) || 'Z"'
                  END,
                  '["text",' || to_json((array_agg("t2"."placed_at")) [count(*)]::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)]::text)::text,
                  'null'
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
              (
                '{"id":' || coalesce(
                  to_json(('ord_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"placedAt":' || CASE
                  WHEN "t1"."placed_at" IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN "t1"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                      AND "t1"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                        to_json("t1"."placed_at"::timestamptz AT TIME ZONE 'UTC')::text,
                        '"'
                      ) || 'Z"'
                    END,
                    chr(3)
                  )
                END || '}'
              ) AS "item",
              "t1"."placed_at" AS "placed_at",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              (
                "t1"."placed_at" IS NULL
                AND ("t1"."id" COLLATE "C") > $2::text
              )
            ORDER BY
              "t1"."placed_at",
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
