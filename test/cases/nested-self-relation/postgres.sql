SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $1::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "category" AS "t12"
            ORDER BY
              ("t12"."id" COLLATE "C")
            LIMIT
              1
            OFFSET
              + $2::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t13"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t12"."id" AS "id"
                FROM
                  "category" AS "t12"
                ORDER BY
                  ("t12"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t13"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t13"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t12"."id" AS "id"
                FROM
                  "category" AS "t12"
                ORDER BY
                  ("t12"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t13"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t13"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t14".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t12"."id" AS "id"
                    FROM
                      "category" AS "t12"
                    ORDER BY
                      ("t12"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t14"
              ) AS "t13"
            ORDER BY
              "t13"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          (
            '{"id":' || coalesce('"cat_' || "t1"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t1"."name")::text, chr(3)) || ',"children":' || (
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
                    + $7::bigint
                )
              SELECT
                (
                  '{"nodes":[' || coalesce(
                    string_agg(
                      (
                        '{"id":' || coalesce('"cat_' || "t4"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t4"."name")::text, chr(3)) || ',"children":' || (
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
                                    + $8::bigint
                                ) AS "t9"
                            )
                          SELECT
                            (
                              '{"nodes":[' || coalesce(
                                string_agg(
                                  (
                                    '{"id":' || coalesce('"cat_' || "t6"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t6"."name")::text, chr(3)) || ',"parent":' || CASE
                                      WHEN "t7"."id" IS NOT NULL THEN (
                                        '{"id":' || coalesce('"cat_' || "t7"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t7"."name")::text, chr(3)) || '}'
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
                                WHEN count(*) = + $9::bigint
                                AND EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "t8" AS "t6"
                                  LIMIT
                                    1
                                  OFFSET
                                    + $10::bigint
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
                                        + $11::bigint
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
                                        + $12::bigint
                                    ) AS "t6"
                                  LIMIT
                                    1
                                  OFFSET
                                    + $13::bigint
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
                                        + $14::bigint
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
                                + $15::bigint
                            ) AS "t6"
                            LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
                        ) || '}'
                      ),
                      ','
                    ),
                    ''
                  ) || '],"pageInfo":{"hasNextPage":' || CASE
                    WHEN count(*) = + $16::bigint
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "t10" AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $17::bigint
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
                            + $18::bigint
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
                            + $19::bigint
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $20::bigint
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
                                + $21::bigint
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
                    + $22::bigint
                ) AS "t4"
            ) || '}'
          ) AS "item"
        FROM
          "category" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $23::bigint
      ) AS "t2"
  ) AS "r0"
