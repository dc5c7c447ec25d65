SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            "t2"."item",
            ','
            ORDER BY
              "t2"."number" DESC
          ),
          ''
        ) || (
          '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":' || CASE
            WHEN count(*) = + $1::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "product" AS "t1"
                  ORDER BY
                    ("t1"."id" COLLATE "C") DESC
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json(
                    (
                      array_agg(
                        "t2"."id"
                        ORDER BY
                          "t2"."number" DESC
                      )
                    ) [1]::text
                  )::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json(
                    (
                      array_agg(
                        "t2"."id"
                        ORDER BY
                          "t2"."number" DESC
                      )
                    ) [count(*)]::text
                  )::text,
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
          "t3".*,
          row_number() OVER () AS "number"
        FROM
          (
            SELECT
              *
            FROM
              (
                SELECT
                  (
                    '{"id":' || coalesce(
                      to_json(('prd_' || "t1"."id")::text)::text,
                      chr(3)
                    ) || ',"slug":' || coalesce(to_json("t1"."slug"::text)::text, chr(3)) || '}'
                  ) AS "item",
                  "t1"."id" AS "id"
                FROM
                  "product" AS "t1"
                ORDER BY
                  ("t1"."id" COLLATE "C") DESC
                LIMIT
                  11
              ) AS "t2"
            LIMIT
              + $1::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
