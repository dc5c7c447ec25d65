SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t6"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "product" AS "t7"
            WHERE
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "tag" AS "t8"
                  WHERE
                    "t8"."name" IN (
                      SELECT
                        "t9"."tag_id"
                      FROM
                        "product_tag" AS "t9"
                      WHERE
                        "t9"."product_id" = "t7"."id"
                    )
                    AND "t8"."featured" = $1::boolean
                )
                AND NOT EXISTS (
                  SELECT
                    1
                  FROM
                    "tag" AS "t10"
                  WHERE
                    "t10"."name" IN (
                      SELECT
                        "t11"."tag_id"
                      FROM
                        "product_tag" AS "t11"
                      WHERE
                        "t11"."product_id" = "t7"."id"
                    )
                    AND "t10"."name" = $2::text
                )
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $3::bigint
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
                      EXISTS (
                        SELECT
                          1
                        FROM
                          "tag" AS "t2"
                        WHERE
                          "t2"."name" IN (
                            SELECT
                              "t3"."tag_id"
                            FROM
                              "product_tag" AS "t3"
                            WHERE
                              "t3"."product_id" = "t1"."id"
                          )
                          AND "t2"."featured" = $4::boolean
                      )
                      AND NOT EXISTS (
                        SELECT
                          1
                        FROM
                          "tag" AS "t4"
                        WHERE
                          "t4"."name" IN (
                            SELECT
                              "t5"."tag_id"
                            FROM
                              "product_tag" AS "t5"
                            WHERE
                              "t5"."product_id" = "t1"."id"
                          )
                          AND "t4"."name" = $5::text
                      )
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t6"
              LIMIT
                1
              OFFSET
                + $3::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(to_json((array_agg("t6"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t6"."id")) [count(*)])::text,
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
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "tag" AS "t2"
                  WHERE
                    "t2"."name" IN (
                      SELECT
                        "t3"."tag_id"
                      FROM
                        "product_tag" AS "t3"
                      WHERE
                        "t3"."product_id" = "t1"."id"
                    )
                    AND "t2"."featured" = $4::boolean
                )
                AND NOT EXISTS (
                  SELECT
                    1
                  FROM
                    "tag" AS "t4"
                  WHERE
                    "t4"."name" IN (
                      SELECT
                        "t5"."tag_id"
                      FROM
                        "product_tag" AS "t5"
                      WHERE
                        "t5"."product_id" = "t1"."id"
                    )
                    AND "t4"."name" = $5::text
                )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t6"
        LIMIT
          + $3::bigint
      ) AS "t6"
  ) AS "r0"
