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
                    "category" AS "t1"
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
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
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
                  to_json(('cat_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"name":' || coalesce(to_json("t1"."name"::text)::text, chr(3)) || ',"children":' || (
                  SELECT
                    (
                      '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || (
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
                                  "category" AS "t3"
                                WHERE
                                  "t3"."parent_id" = "t1"."id"
                                ORDER BY
                                  ("t3"."id" COLLATE "C")
                                LIMIT
                                  101
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
                              chr(1) || '0[[' || coalesce(
                                to_json((array_agg("t4"."id")) [1]::text)::text,
                                'null'
                              ) || ']]' || chr(2)
                            )
                          END,
                          'null'
                        ) || ',"endCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[[' || coalesce(
                                to_json((array_agg("t4"."id")) [count(*)]::text)::text,
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
                                to_json(('cat_' || "t3"."id")::text)::text,
                                chr(3)
                              ) || ',"name":' || coalesce(to_json("t3"."name"::text)::text, chr(3)) || ',"children":' || (
                                SELECT
                                  (
                                    '{"nodes":[' || coalesce(string_agg("t6"."item", ','), '') || (
                                      '],"pageInfo":{"hasNextPage":' || CASE
                                        WHEN count(*) = + $3::bigint
                                        AND EXISTS (
                                          SELECT
                                            1
                                          FROM
                                            (
                                              SELECT
                                                1
                                              FROM
                                                "category" AS "t5"
                                              WHERE
                                                "t5"."parent_id" = "t3"."id"
                                              ORDER BY
                                                ("t5"."id" COLLATE "C")
                                              LIMIT
                                                101
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
                                            chr(1) || '0[[' || coalesce(
                                              to_json((array_agg("t6"."id")) [1]::text)::text,
                                              'null'
                                            ) || ']]' || chr(2)
                                          )
                                        END,
                                        'null'
                                      ) || ',"endCursor":' || coalesce(
                                        CASE
                                          WHEN count(*) > 0 THEN (
                                            chr(1) || '0[[' || coalesce(
                                              to_json((array_agg("t6"."id")) [count(*)]::text)::text,
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
                                              to_json(('cat_' || "t5"."id")::text)::text,
                                              chr(3)
                                            ) || ',"name":' || coalesce(to_json("t5"."name"::text)::text, chr(3)) || ',"parent":' || CASE
                                              WHEN "t7"."id" IS NOT NULL THEN (
                                                '{"id":' || coalesce(
                                                  to_json(('cat_' || "t7"."id")::text)::text,
                                                  chr(3)
                                                ) || ',"name":' || coalesce(to_json("t7"."name"::text)::text, chr(3)) || '}'
                                              )
                                              ELSE 'null'
                                            END || '}'
                                          ) AS "item",
                                          "t5"."id" AS "id"
                                        FROM
                                          "category" AS "t5"
                                          LEFT JOIN "category" AS "t7" ON "t7"."id" = "t5"."parent_id"
                                        WHERE
                                          "t5"."parent_id" = "t3"."id"
                                        ORDER BY
                                          ("t5"."id" COLLATE "C")
                                        LIMIT
                                          101
                                      ) AS "t6"
                                    LIMIT
                                      + $3::bigint
                                  ) AS "t6"
                              ) || '}'
                            ) AS "item",
                            "t3"."id" AS "id"
                          FROM
                            "category" AS "t3"
                          WHERE
                            "t3"."parent_id" = "t1"."id"
                          ORDER BY
                            ("t3"."id" COLLATE "C")
                          LIMIT
                            101
                        ) AS "t4"
                      LIMIT
                        + $2::bigint
                    ) AS "t4"
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "category" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
