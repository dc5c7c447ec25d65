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
                    "customer" AS "t1"
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
                chr(1) || '1[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
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
                  to_json(('cus_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"orders":' || (
                  SELECT
                    (
                      '{"nodes":[' || coalesce(
                        string_agg(
                          "t4"."item",
                          ','
                          ORDER BY
                            "t4"."number_" DESC
                        ),
                        ''
                      ) || (
                        '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":' || CASE
                          WHEN count(*) = + $2::bigint
                          AND EXISTS (
                            SELECT
                              1
                            FROM
                              (
                                SELECT
                                  1
                                FROM
                                  "order" AS "t3"
                                WHERE
                                  "t3"."customer_id" = "t1"."id"
                                ORDER BY
                                  ("t3"."id" COLLATE "C") DESC
                                LIMIT
                                  11
                              ) AS "t4"
                            LIMIT
                              1
                            OFFSET
                              + $2::bigint
                          ) THEN 'true'
                          ELSE 'false'
                        END || ',"startCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[[' || coalesce(
                                to_json(
                                  (
                                    array_agg(
                                      "t4"."id"
                                      ORDER BY
                                        "t4"."number_" DESC
                                    )
                                  ) [1]::text
                                )::text,
                                'null'
                              ) || ']]' || chr(2)
                            )
                          END,
                          'null'
                        ) || ',"endCursor":' || coalesce(
                          CASE
                            WHEN count(*) > 0 THEN (
                              chr(1) || '0[[' || coalesce(
                                to_json(
                                  (
                                    array_agg(
                                      "t4"."id"
                                      ORDER BY
                                        "t4"."number_" DESC
                                    )
                                  ) [count(*)]::text
                                )::text,
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
                        "t5".*,
                        row_number() OVER () AS "number_"
                      FROM
                        (
                          SELECT
                            *
                          FROM
                            (
                              SELECT
                                (
                                  '{"id":' || coalesce(
                                    to_json(('ord_' || "t3"."id")::text)::text,
                                    chr(3)
                                  ) || ',"number":' || coalesce(to_json("t3"."number"::text)::text, chr(3)) || '}'
                                ) AS "item",
                                "t3"."id" AS "id"
                              FROM
                                "order" AS "t3"
                              WHERE
                                "t3"."customer_id" = "t1"."id"
                              ORDER BY
                                ("t3"."id" COLLATE "C") DESC
                              LIMIT
                                11
                            ) AS "t4"
                          LIMIT
                            + $2::bigint
                        ) AS "t5"
                    ) AS "t4"
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
