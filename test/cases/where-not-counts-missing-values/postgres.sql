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
                  WHERE
                    (
                      "t1"."height" > $2::double precision
                      AND TRUE
                      AND ("t1"."mood" = $3::text) IS NOT TRUE
                    )
                  ORDER BY
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
                chr(1) || '0[[' || coalesce((array_agg("t2"."id")) [1]::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce((array_agg("t2"."id")) [count(*)]::text, chr(3)) || ']]' || chr(2)
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
                  '{"id":"exhibit_' || "t1"."id" || '","mood":',
                  '{"id":' || chr(3) || ',"mood":'
                ) || coalesce(to_json("t1"."mood")::text, 'null') || ',"height":' || CASE
                  WHEN "t1"."height" IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN abs("t1"."height") < 'Infinity' THEN ("t1"."height"::float8 + 0)::text
                    END,
                    chr(3)
                  )
                END || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "exhibit" AS "t1"
            WHERE
              (
                "t1"."height" > $2::double precision
                AND TRUE
                AND ("t1"."mood" = $3::text) IS NOT TRUE
              )
            ORDER BY
              "t1"."id"
            LIMIT
              101
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
