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
                chr(1) || '1[[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
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
                  '{"id":"prd_' || "t1"."id" || '","tags":',
                  '{"id":' || chr(3) || ',"tags":'
                ) || (
                  SELECT
                    (
                      '{"nodes":[' || coalesce(string_agg("t5"."item", ','), '') || (
                        '],"pageInfo":{"hasNextPage":' || CASE
                          WHEN count(*) = + $2::bigint
                          AND EXISTS (
                            SELECT
                              1
                            FROM
                              (
                                SELECT
                                  1
                                FROM
                                  "tag" AS "t3"
                                WHERE
                                  "t3"."name" IN (
                                    SELECT
                                      "t4"."tag_id"
                                    FROM
                                      "product_tag" AS "t4"
                                    WHERE
                                      "t4"."product_id" = "t1"."id"
                                  )
                                ORDER BY
                                  ("t3"."name" COLLATE "C")
                                LIMIT
                                  101
                              ) AS "t5"
                            LIMIT
                              1
                            OFFSET
                              + $2::bigint
                          ) THEN 'true'
                          ELSE 'false'
                        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[[' || coalesce(
                                to_json((array_agg("t5"."name")) [1])::text,
                                chr(3)
                              ) || ']]' || chr(2)
                            )
                          END,
                          'null'
                        ) || ',"endCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[[' || coalesce(
                                to_json((array_agg("t5"."name")) [count(*)])::text,
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
                                '{"id":' || to_json('tag_' || "t3"."name")::text || ',"featured":',
                                '{"id":' || chr(3) || ',"featured":'
                              ) || coalesce("t3"."featured"::text, chr(3)) || '}'
                            ) AS "item",
                            "t3"."name" AS "name"
                          FROM
                            "tag" AS "t3"
                          WHERE
                            "t3"."name" IN (
                              SELECT
                                "t4"."tag_id"
                              FROM
                                "product_tag" AS "t4"
                              WHERE
                                "t4"."product_id" = "t1"."id"
                            )
                          ORDER BY
                            ("t3"."name" COLLATE "C")
                          LIMIT
                            101
                        ) AS "t5"
                      LIMIT
                        + $2::bigint
                    ) AS "t5"
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
