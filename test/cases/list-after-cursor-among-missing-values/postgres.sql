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
                chr(1) || '0[' || CASE
                  WHEN (array_agg("t2"."placed_at")) [1] IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN (array_agg("t2"."placed_at")) [1] >= TIMESTAMPTZ '0001-01-01Z'
                      AND (array_agg("t2"."placed_at")) [1] < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                        to_json(
                          (array_agg("t2"."placed_at")) [1] AT TIME ZONE 'UTC'
                        )::text,
                        '"'
                      ) || 'Z"'
                    END,
                    chr(3)
                  )
                END || ',[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || CASE
                  WHEN (array_agg("t2"."placed_at")) [count(*)] IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN (array_agg("t2"."placed_at")) [count(*)] >= TIMESTAMPTZ '0001-01-01Z'
                      AND (array_agg("t2"."placed_at")) [count(*)] < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                        to_json(
                          (array_agg("t2"."placed_at")) [count(*)] AT TIME ZONE 'UTC'
                        )::text,
                        '"'
                      ) || 'Z"'
                    END,
                    chr(3)
                  )
                END || ',[' || coalesce(
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
              (
                coalesce(
                  '{"id":"ord_' || "t1"."id" || '","placedAt":',
                  '{"id":' || chr(3) || ',"placedAt":'
                ) || CASE
                  WHEN "t1"."placed_at" IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN "t1"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                      AND "t1"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                        to_json("t1"."placed_at" AT TIME ZONE 'UTC')::text,
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
