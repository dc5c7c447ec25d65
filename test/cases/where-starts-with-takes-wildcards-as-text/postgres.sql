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
                      starts_with(("t1"."title" COLLATE "C"), $2::text)
                      OR right(("t1"."subtitle" COLLATE "C"), length($3::text)) = $4::text
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
                  '{"id":"exhibit_' || "t1"."id" || '","title":',
                  '{"id":' || chr(3) || ',"title":'
                ) || coalesce(to_json("t1"."title")::text, chr(3)) || ',"subtitle":' || coalesce(to_json("t1"."subtitle")::text, 'null') || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "exhibit" AS "t1"
            WHERE
              (
                starts_with(("t1"."title" COLLATE "C"), $2::text)
                OR right(("t1"."subtitle" COLLATE "C"), length($3::text)) = $4::text
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
