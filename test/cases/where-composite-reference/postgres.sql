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
                    ("t1"."place_hall", "t1"."place_number") IN (
                      SELECT
                        (tuple ->> 0)::text,
                        (tuple ->> 1)::integer
                      FROM
                        jsonb_array_elements($2::jsonb) AS tuple
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
                  '{"id":"exhibit_' || "t1"."id" || '","placeId":',
                  '{"id":' || chr(3) || ',"placeId":'
                ) || coalesce(
                  to_json(
                    'place_' || replace(
                      replace("t1"."place_hall", '%', '%25'),
                      '~',
                      '%7E'
                    ) || '~' || "t1"."place_number"
                  )::text || '}',
                  'null' || '}'
                )
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "exhibit" AS "t1"
            WHERE
              ("t1"."place_hall", "t1"."place_number") IN (
                SELECT
                  (tuple ->> 0)::text,
                  (tuple ->> 1)::integer
                FROM
                  jsonb_array_elements($2::jsonb) AS tuple
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
