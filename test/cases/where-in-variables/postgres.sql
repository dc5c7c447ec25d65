SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t3"."item", ','), '') || (
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
                      "t1"."price" = ANY ($2::numeric[])
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          "category" AS "t2"
                        WHERE
                          "t2"."id" = "t1"."category_id"
                          AND starts_with(("t2"."slug" COLLATE "C"), $3::text)
                      )
                    )
                  ORDER BY
                    ("t1"."slug" COLLATE "C") DESC,
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
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
                chr(1) || '0[' || coalesce(
                  to_json((array_agg("t3"."slug")) [1])::text,
                  chr(3)
                ) || ',[' || coalesce(to_json((array_agg("t3"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[' || coalesce(
                  to_json((array_agg("t3"."slug")) [count(*)])::text,
                  chr(3)
                ) || ',[' || coalesce(
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
                  '{"id":"prd_' || "t1"."id" || '","slug":',
                  '{"id":' || chr(3) || ',"slug":'
                ) || coalesce(to_json("t1"."slug")::text, chr(3)) || '}'
              ) AS "item",
              "t1"."slug" AS "slug",
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            WHERE
              (
                "t1"."price" = ANY ($2::numeric[])
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "category" AS "t2"
                  WHERE
                    "t2"."id" = "t1"."category_id"
                    AND starts_with(("t2"."slug" COLLATE "C"), $3::text)
                )
              )
            ORDER BY
              ("t1"."slug" COLLATE "C") DESC,
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t3"
        LIMIT
          + $1::bigint
      ) AS "t3"
  ) AS "r0"
