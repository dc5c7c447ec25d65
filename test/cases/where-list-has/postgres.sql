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
                    "t1"."colours"::text[] && $2::text[]
                  ORDER BY
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
                chr(1) || '0[[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
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
                  '{"id":"prd_' || "t1"."id" || '","colours":',
                  '{"id":' || chr(3) || ',"colours":'
                ) || coalesce(
                  CASE
                    WHEN "t1"."colours" IS NOT NULL
                    AND coalesce(array_ndims("t1"."colours"), 1) = 1 THEN (
                      SELECT
                        CASE
                          WHEN bool_or((to_json(item.value)::text) IS NULL) THEN NULL
                          ELSE '[' || coalesce(
                            string_agg(
                              to_json(item.value)::text,
                              ','
                              ORDER BY
                                item.place
                            ),
                            ''
                          ) || ']'
                        END
                      FROM
                        unnest("t1"."colours") WITH ORDINALITY AS item (value, place)
                    )
                  END,
                  chr(3)
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            WHERE
              "t1"."colours"::text[] && $2::text[]
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
