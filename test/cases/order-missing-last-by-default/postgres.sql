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
                    "category" AS "t1"
                  ORDER BY
                    ("t1"."parent_id" COLLATE "C") DESC NULLS LAST,
                    "t1"."position",
                    ("t1"."id" COLLATE "C")
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
                  WHEN (array_agg("t2"."parent_id")) [1] IS NULL THEN 'null'
                  ELSE (
                    '[' || coalesce(
                      to_json((array_agg("t2"."parent_id")) [1])::text,
                      chr(3)
                    ) || ']'
                  )
                END || ',' || coalesce((array_agg("t2"."position")) [1]::text, chr(3)) || ',[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || CASE
                  WHEN (array_agg("t2"."parent_id")) [count(*)] IS NULL THEN 'null'
                  ELSE (
                    '[' || coalesce(
                      to_json((array_agg("t2"."parent_id")) [count(*)])::text,
                      chr(3)
                    ) || ']'
                  )
                END || ',' || coalesce(
                  (array_agg("t2"."position")) [count(*)]::text,
                  chr(3)
                ) || ',[' || coalesce(
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
                  '{"id":"cat_' || "t1"."id" || '","position":',
                  '{"id":' || chr(3) || ',"position":'
                ) || coalesce("t1"."position"::text, chr(3)) || coalesce(
                  ',"parentId":"cat_' || "t1"."parent_id" || '"}',
                  ',"parentId":' || 'null' || '}'
                )
              ) AS "item",
              "t1"."parent_id" AS "parent_id",
              "t1"."position" AS "position",
              "t1"."id" AS "id"
            FROM
              "category" AS "t1"
            ORDER BY
              ("t1"."parent_id" COLLATE "C") DESC NULLS LAST,
              "t1"."position",
              ("t1"."id" COLLATE "C")
            LIMIT
              101
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
