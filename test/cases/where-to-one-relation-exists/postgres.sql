SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t3"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "category" AS "t4"
            WHERE
              EXISTS (
                SELECT
                  1
                FROM
                  "category" AS "t5"
                WHERE
                  "t5"."id" = "t4"."parent_id"
                  AND TRUE
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
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
                  WHERE
                    EXISTS (
                      SELECT
                        1
                      FROM
                        "category" AS "t2"
                      WHERE
                        "t2"."id" = "t1"."parent_id"
                        AND TRUE
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    101
                ) AS "t3"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(to_json((array_agg("t3"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t3"."id")) [count(*)])::text,
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
                  '{"id":"cat_' || "t1"."id" || '","parentId":',
                  '{"id":' || chr(3) || ',"parentId":'
                ) || coalesce(
                  '"cat_' || "t1"."parent_id" || '"}',
                  'null' || '}'
                )
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "category" AS "t1"
            WHERE
              EXISTS (
                SELECT
                  1
                FROM
                  "category" AS "t2"
                WHERE
                  "t2"."id" = "t1"."parent_id"
                  AND TRUE
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              101
          ) AS "t3"
        LIMIT
          + $1::bigint
      ) AS "t3"
  ) AS "r0"
