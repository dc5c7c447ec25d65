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
                  WITH
                    "t5" AS MATERIALIZED (
                      SELECT
                        "t3"."id" AS "id",
                        "t3"."total" AS "total"
                      FROM
                        "order" AS "t3"
                      WHERE
                        "t3"."customer_id" = "t1"."id"
                        AND "t3"."status" = $2::text
                      ORDER BY
                        "t3"."total" DESC,
                        ("t3"."id" COLLATE "C")
                      LIMIT
                        + $3::bigint
                    )
                  SELECT
                    (
                      '{"nodes":[' || coalesce(
                        string_agg(
                          (
                            '{"id":' || coalesce(
                              to_json(('ord_' || "t4"."id")::text)::text,
                              chr(3)
                            ) || coalesce(
                              ',"total":"' || CASE
                                WHEN scale("t4"."total") IS NOT NULL THEN round("t4"."total", 2)
                              END || '"}',
                              ',"total":' || chr(3) || '}'
                            )
                          ),
                          ','
                        ) FILTER (
                          WHERE
                            "t4"."id" IS DISTINCT FROM (
                              SELECT
                                "t4"."id"
                              FROM
                                "t5" AS "t4"
                              LIMIT
                                1
                              OFFSET
                                + $4::bigint
                            )
                        ),
                        ''
                      ) || '],"totalCount":' || (
                        SELECT
                          count(*)
                        FROM
                          "order" AS "t7"
                        WHERE
                          "t7"."customer_id" = "t1"."id"
                          AND "t7"."status" = $5::text
                      ) || ',"pageInfo":{"hasNextPage":' || CASE
                        WHEN count(*) > + $6::bigint THEN 'true'
                        ELSE 'false'
                      END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                        (
                          SELECT
                            (
                              chr(1) || '0[' || coalesce(
                                '"' || CASE
                                  WHEN scale("t4"."total") IS NOT NULL THEN round("t4"."total", 2)
                                END || '"',
                                '["text",' || to_json("t4"."total"::text)::text || ']',
                                'null'
                              ) || ',[' || coalesce(to_json("t4"."id"::text)::text, 'null') || ']]' || chr(2)
                            )
                          FROM
                            "t5" AS "t4"
                          LIMIT
                            + $7::bigint
                          OFFSET
                            0
                        ),
                        'null'
                      ) || ',"endCursor":' || coalesce(
                        (
                          SELECT
                            (
                              chr(1) || '0[' || coalesce(
                                '"' || CASE
                                  WHEN scale("t4"."total") IS NOT NULL THEN round("t4"."total", 2)
                                END || '"',
                                '["text",' || to_json("t4"."total"::text)::text || ']',
                                'null'
                              ) || ',[' || coalesce(to_json("t4"."id"::text)::text, 'null') || ']]' || chr(2)
                            )
                          FROM
                            "t5" AS "t4"
                          LIMIT
                            + $8::bigint
                          OFFSET
                            + $9::bigint
                        ),
                        (
                          SELECT
                            (
                              chr(1) || '0[' || coalesce(
                                '"' || CASE
                                  WHEN scale("t4"."total") IS NOT NULL THEN round("t4"."total", 2)
                                END || '"',
                                '["text",' || to_json("t4"."total"::text)::text || ']',
                                'null'
                              ) || ',[' || coalesce(to_json("t4"."id"::text)::text, 'null') || ']]' || chr(2)
                            )
                          FROM
                            (
                              SELECT
                                "t6".*,
                                row_number() OVER () AS "number_"
                              FROM
                                (
                                  SELECT
                                    *
                                  FROM
                                    "t5"
                                  LIMIT
                                    + $10::bigint
                                ) AS "t6"
                            ) AS "t4"
                          ORDER BY
                            "t4"."number_" DESC
                          LIMIT
                            1
                        ),
                        'null'
                      ) || '}}'
                    )
                  FROM
                    "t5" AS "t4"
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
