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
                    "product" AS "t1"
                  ORDER BY
                    "t1"."price" DESC,
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
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale((array_agg("t2"."price")) [1]) IS NOT NULL THEN round((array_agg("t2"."price")) [1], 2)
                  END || '"',
                  '["text",' || to_json((array_agg("t2"."price")) [1]::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale((array_agg("t2"."price")) [count(*)]) IS NOT NULL THEN round((array_agg("t2"."price")) [count(*)], 2)
                  END || '"',
                  '["text",' || to_json((array_agg("t2"."price")) [count(*)]::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)]::text)::text,
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
                  to_json(('prd_' || "t1"."id")::text)::text,
                  chr(3)
                ) || coalesce(
                  ',"price":"' || CASE
                    WHEN scale("t1"."price") IS NOT NULL THEN round("t1"."price", 2)
                  END || '"}',
                  ',"price":' || chr(3) || '}'
                )
              ) AS "item",
              "t1"."price" AS "price",
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            ORDER BY
              "t1"."price" DESC,
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
