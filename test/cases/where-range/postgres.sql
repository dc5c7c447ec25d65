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
                  WHERE
                    (
                      "t1"."price" < $2::numeric
                      AND "t1"."price" >= $3::numeric
                    )
                  ORDER BY
                    "t1"."price",
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
                  chr(3)
                ) || ',[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
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
                  '{"id":"prd_' || "t1"."id" || '","price":',
                  '{"id":' || chr(3) || ',"price":'
                ) || coalesce(
                  '"' || CASE
                    WHEN scale("t1"."price") IS NOT NULL THEN round("t1"."price", 2)
                  END || '"}',
                  chr(3) || '}'
                )
              ) AS "item",
              "t1"."price" AS "price",
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            WHERE
              (
                "t1"."price" < $2::numeric
                AND "t1"."price" >= $3::numeric
              )
            ORDER BY
              "t1"."price",
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
