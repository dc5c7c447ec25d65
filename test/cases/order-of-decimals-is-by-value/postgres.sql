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
                  ORDER BY
                    "t1"."value" DESC NULLS LAST,
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
                chr(1) || '0[' || CASE
                  WHEN (array_agg("t2"."value")) [1] IS NULL THEN 'null'
                  ELSE coalesce(
                    '"' || CASE
                      WHEN scale((array_agg("t2"."value")) [1]) IS NOT NULL THEN round((array_agg("t2"."value")) [1], 4)
                    END || '"',
                    chr(3)
                  )
                END || ',[' || coalesce((array_agg("t2"."id")) [1]::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || CASE
                  WHEN (array_agg("t2"."value")) [count(*)] IS NULL THEN 'null'
                  ELSE coalesce(
                    '"' || CASE
                      WHEN scale((array_agg("t2"."value")) [count(*)]) IS NOT NULL THEN round((array_agg("t2"."value")) [count(*)], 4)
                    END || '"',
                    chr(3)
                  )
                END || ',[' || coalesce((array_agg("t2"."id")) [count(*)]::text, chr(3)) || ']]' || chr(2)
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
                  '{"id":"exhibit_' || "t1"."id" || '","value":',
                  '{"id":' || chr(3) || ',"value":'
                ) || CASE
                  WHEN "t1"."value" IS NULL THEN 'null'
                  ELSE coalesce(
                    '"' || CASE
                      WHEN scale("t1"."value") IS NOT NULL THEN round("t1"."value", 4)
                    END || '"',
                    chr(3)
                  )
                END || '}'
              ) AS "item",
              "t1"."value" AS "value",
              "t1"."id" AS "id"
            FROM
              "exhibit" AS "t1"
            ORDER BY
              "t1"."value" DESC NULLS LAST,
              "t1"."id"
            LIMIT
              101
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
