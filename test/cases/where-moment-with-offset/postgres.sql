SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "order" AS "t3"
            WHERE
              (
                "t3"."placed_at" <= $1::timestamptz
                AND "t3"."placed_at" > $2::timestamptz
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $3::bigint
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
                      "t1"."placed_at" <= $4::timestamptz
                      AND "t1"."placed_at" > $5::timestamptz
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $3::bigint
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
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              (
                "t1"."placed_at" <= $4::timestamptz
                AND "t1"."placed_at" > $5::timestamptz
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $3::bigint
      ) AS "t2"
  ) AS "r0"
