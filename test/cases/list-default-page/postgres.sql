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
                    "tag" AS "t1"
                  ORDER BY
                    ("t1"."name" COLLATE "C")
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
                  to_json((array_agg("t2"."name")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."name")) [count(*)]::text)::text,
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
                  to_json(('tag_' || "t1"."name")::text)::text,
                  chr(3)
                ) || ',"name":' || coalesce(to_json("t1"."name"::text)::text, chr(3)) || ',"featured":' || coalesce(
                  (
                    "t1"."featured"
                    AND TRUE
                  )::text,
                  chr(3)
                ) || '}'
              ) AS "item",
              "t1"."name" AS "name"
            FROM
              "tag" AS "t1"
            ORDER BY
              ("t1"."name" COLLATE "C")
            LIMIT
              101
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
