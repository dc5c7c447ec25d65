SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "product" AS "t5"
            WHERE
              "t5"."id" IN (
                SELECT
                  "t7"."product_id"
                FROM
                  "tag" AS "t6"
                  JOIN "product_tag" AS "t7" ON "t7"."tag_id" = "t6"."name"
                WHERE
                  "t6"."name" = ANY ($1::text[])
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $2::bigint
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
                    "t1"."id" IN (
                      SELECT
                        "t3"."product_id"
                      FROM
                        "tag" AS "t2"
                        JOIN "product_tag" AS "t3" ON "t3"."tag_id" = "t2"."name"
                      WHERE
                        "t2"."name" = ANY ($3::text[])
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t4"
              LIMIT
                1
              OFFSET
                + $2::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(to_json((array_agg("t4"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t4"."id")) [count(*)])::text,
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
              coalesce(
                '{"id":"prd_' || "t1"."id" || '"}',
                '{"id":' || chr(3) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            WHERE
              "t1"."id" IN (
                SELECT
                  "t3"."product_id"
                FROM
                  "tag" AS "t2"
                  JOIN "product_tag" AS "t3" ON "t3"."tag_id" = "t2"."name"
                WHERE
                  "t2"."name" = ANY ($3::text[])
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t4"
        LIMIT
          + $2::bigint
      ) AS "t4"
  ) AS "r0"
