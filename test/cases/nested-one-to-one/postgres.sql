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
                    "room" AS "t1"
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
                chr(1) || '0[[' || coalesce(
                  '"' || (array_agg("t2"."id")) [1]::uuid || '"',
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  '"' || (array_agg("t2"."id")) [count(*)]::uuid || '"',
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
                coalesce(
                  '{"id":"room_' || "t1"."id"::uuid || '","name":',
                  '{"id":' || chr(3) || ',"name":'
                ) || coalesce(to_json("t1"."name"::text)::text, chr(3)) || ',"guard":' || CASE
                  WHEN "t3"."room_id" IS NOT NULL THEN (
                    coalesce(
                      '{"id":"guard_' || ("t3"."id" | 0) || '","name":',
                      '{"id":' || chr(3) || ',"name":'
                    ) || coalesce(to_json("t3"."name"::text)::text, chr(3)) || '}'
                  )
                  ELSE 'null'
                END || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "room" AS "t1"
              LEFT JOIN "guard" AS "t3" ON "t3"."room_id" = "t1"."id"
            ORDER BY
              "t1"."id"
            LIMIT
              101
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
