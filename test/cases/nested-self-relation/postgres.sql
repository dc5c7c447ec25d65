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
                  '{"id":"cat_' || "t1"."id" || '","name":',
                  '{"id":' || chr(3) || ',"name":'
                ) || coalesce(to_json("t1"."name")::text, chr(3)) || ',"children":' || (
                  WITH
                    "t10" AS MATERIALIZED (
                      SELECT
                        "t3"."id" AS "id",
                        "t3"."name" AS "name"
                      FROM
                        "category" AS "t3"
                      WHERE
                        "t3"."parent_id" = "t1"."id"
                      ORDER BY
                        ("t3"."id" COLLATE "C")
                      LIMIT
                        + $2::bigint
                    )
                  SELECT
                    (
                      '{"nodes":[' || coalesce(
                        string_agg(
                          (
                            coalesce(
                              '{"id":"cat_' || "t4"."id" || '","name":',
                              '{"id":' || chr(3) || ',"name":'
                            ) || coalesce(to_json("t4"."name")::text, chr(3)) || ',"children":' || (
                              WITH
                                "t8" AS MATERIALIZED (
                                  SELECT
                                    "t9".*,
                                    row_number() OVER () AS "number"
                                  FROM
                                    (
                                      SELECT
                                        "t5"."id" AS "id",
                                        "t5"."name" AS "name",
                                        "t5"."parent_id" AS "parent_id"
                                      FROM
                                        "category" AS "t5"
                                      WHERE
                                        "t5"."parent_id" = "t4"."id"
                                      ORDER BY
                                        ("t5"."id" COLLATE "C")
                                      LIMIT
                                        + $3::bigint
                                    ) AS "t9"
                                )
                              SELECT
                                (
                                  '{"nodes":[' || coalesce(
                                    string_agg(
                                      (
                                        coalesce(
                                          '{"id":"cat_' || "t6"."id" || '","name":',
                                          '{"id":' || chr(3) || ',"name":'
                                        ) || coalesce(to_json("t6"."name")::text, chr(3)) || ',"parent":' || CASE
                                          WHEN "t7"."id" IS NOT NULL THEN (
                                            coalesce(
                                              '{"id":"cat_' || "t7"."id" || '","name":',
                                              '{"id":' || chr(3) || ',"name":'
                                            ) || coalesce(to_json("t7"."name")::text, chr(3)) || '}'
                                          )
                                          ELSE 'null'
                                        END || '}'
                                      ),
                                      ','
                                      ORDER BY
                                        "t6"."number"
                                    ),
                                    ''
                                  ) || '],"pageInfo":{"hasNextPage":' || CASE
                                    WHEN count(*) = + $4::bigint
                                    AND EXISTS (
                                      SELECT
                                        1
                                      FROM
                                        "t8" AS "t6"
                                      LIMIT
                                        1
                                      OFFSET
                                        + $5::bigint
                                    ) THEN 'true'
                                    ELSE 'false'
                                  END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                                    (
                                      SELECT
                                        (
                                          chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
                                        )
                                      FROM
                                        (
                                          SELECT
                                            *
                                          FROM
                                            "t8"
                                          LIMIT
                                            + $6::bigint
                                        ) AS "t6"
                                      LIMIT
                                        1
                                      OFFSET
                                        0
                                    ),
                                    'null'
                                  ) || ',"endCursor":' || coalesce(
                                    (
                                      SELECT
                                        (
                                          chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
                                        )
                                      FROM
                                        (
                                          SELECT
                                            *
                                          FROM
                                            "t8"
                                          LIMIT
                                            + $6::bigint
                                        ) AS "t6"
                                      LIMIT
                                        1
                                      OFFSET
                                        + $7::bigint
                                    ),
                                    (
                                      SELECT
                                        (
                                          chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
                                        )
                                      FROM
                                        (
                                          SELECT
                                            *
                                          FROM
                                            "t8"
                                          LIMIT
                                            + $6::bigint
                                        ) AS "t6"
                                      ORDER BY
                                        "t6"."number" DESC
                                      LIMIT
                                        1
                                    ),
                                    'null'
                                  ) || '}}'
                                )
                              FROM
                                (
                                  SELECT
                                    *
                                  FROM
                                    "t8"
                                  LIMIT
                                    + $6::bigint
                                ) AS "t6"
                                LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
                            ) || '}'
                          ),
                          ','
                        ),
                        ''
                      ) || '],"pageInfo":{"hasNextPage":' || CASE
                        WHEN count(*) = + $8::bigint
                        AND EXISTS (
                          SELECT
                            1
                          FROM
                            "t10" AS "t4"
                          LIMIT
                            1
                          OFFSET
                            + $9::bigint
                        ) THEN 'true'
                        ELSE 'false'
                      END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                        (
                          SELECT
                            (
                              chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                            )
                          FROM
                            (
                              SELECT
                                *
                              FROM
                                "t10"
                              LIMIT
                                + $10::bigint
                            ) AS "t4"
                          LIMIT
                            1
                          OFFSET
                            0
                        ),
                        'null'
                      ) || ',"endCursor":' || coalesce(
                        (
                          SELECT
                            (
                              chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                            )
                          FROM
                            (
                              SELECT
                                *
                              FROM
                                "t10"
                              LIMIT
                                + $10::bigint
                            ) AS "t4"
                          LIMIT
                            1
                          OFFSET
                            + $11::bigint
                        ),
                        (
                          SELECT
                            (
                              chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                            )
                          FROM
                            (
                              SELECT
                                "t11".*,
                                row_number() OVER () AS "number"
                              FROM
                                (
                                  SELECT
                                    *
                                  FROM
                                    "t10"
                                  LIMIT
                                    + $10::bigint
                                ) AS "t11"
                            ) AS "t4"
                          ORDER BY
                            "t4"."number" DESC
                          LIMIT
                            1
                        ),
                        'null'
                      ) || '}}'
                    )
                  FROM
                    (
                      SELECT
                        *
                      FROM
                        "t10"
                      LIMIT
                        + $10::bigint
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
