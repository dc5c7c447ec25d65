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
              "customer" AS "t15"
            ORDER BY
              ("t15"."id" COLLATE "C")
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
                chr(1) || '2[[' || coalesce(to_json("t16"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t15"."id" AS "id"
                FROM
                  "customer" AS "t15"
                ORDER BY
                  ("t15"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t16"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '2[[' || coalesce(to_json("t16"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t15"."id" AS "id"
                FROM
                  "customer" AS "t15"
                ORDER BY
                  ("t15"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t16"
          ),
          (
            SELECT
              (
                chr(1) || '2[[' || coalesce(to_json("t16"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t17".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t15"."id" AS "id"
                    FROM
                      "customer" AS "t15"
                    ORDER BY
                      ("t15"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t17"
              ) AS "t16"
            ORDER BY
              "t16"."number" DESC
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
            '{"id":' || coalesce('"cus_' || "t1"."id" || '"', chr(3)) || ',"orders":' || (
              WITH
                "t13" AS MATERIALIZED (
                  SELECT
                    "t3"."id" AS "id"
                  FROM
                    "order" AS "t3"
                  WHERE
                    "t3"."customer_id" = "t1"."id"
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
                        '{"id":' || coalesce('"ord_' || "t4"."id" || '"', chr(3)) || ',"lines":' || (
                          SELECT
                            (
                              '{"nodes":[' || coalesce(string_agg("t6"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
                                WHEN count(*) = + $8::bigint
                                AND EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order_line" AS "t10"
                                  WHERE
                                    "t10"."order_id" = "t4"."id"
                                  ORDER BY
                                    ("t10"."order_id" COLLATE "C"),
                                    "t10"."position"
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
                                      chr(1) || '0[[' || coalesce(to_json("t11"."order_id")::text, chr(3)) || ',' || coalesce("t11"."position"::text, chr(3)) || ']]' || chr(2)
                                    )
                                  FROM
                                    (
                                      SELECT
                                        "t10"."order_id" AS "order_id",
                                        "t10"."position" AS "position"
                                      FROM
                                        "order_line" AS "t10"
                                      WHERE
                                        "t10"."order_id" = "t4"."id"
                                      ORDER BY
                                        ("t10"."order_id" COLLATE "C"),
                                        "t10"."position"
                                      LIMIT
                                        + $10::bigint
                                      OFFSET
                                        0
                                    ) AS "t11"
                                ),
                                'null'
                              ) || ',"endCursor":' || coalesce(
                                (
                                  SELECT
                                    (
                                      chr(1) || '0[[' || coalesce(to_json("t11"."order_id")::text, chr(3)) || ',' || coalesce("t11"."position"::text, chr(3)) || ']]' || chr(2)
                                    )
                                  FROM
                                    (
                                      SELECT
                                        "t10"."order_id" AS "order_id",
                                        "t10"."position" AS "position"
                                      FROM
                                        "order_line" AS "t10"
                                      WHERE
                                        "t10"."order_id" = "t4"."id"
                                      ORDER BY
                                        ("t10"."order_id" COLLATE "C"),
                                        "t10"."position"
                                      LIMIT
                                        + $11::bigint
                                      OFFSET
                                        + $12::bigint
                                    ) AS "t11"
                                ),
                                (
                                  SELECT
                                    (
                                      chr(1) || '0[[' || coalesce(to_json("t11"."order_id")::text, chr(3)) || ',' || coalesce("t11"."position"::text, chr(3)) || ']]' || chr(2)
                                    )
                                  FROM
                                    (
                                      SELECT
                                        "t12".*,
                                        row_number() OVER () AS "number"
                                      FROM
                                        (
                                          SELECT
                                            "t10"."order_id" AS "order_id",
                                            "t10"."position" AS "position"
                                          FROM
                                            "order_line" AS "t10"
                                          WHERE
                                            "t10"."order_id" = "t4"."id"
                                          ORDER BY
                                            ("t10"."order_id" COLLATE "C"),
                                            "t10"."position"
                                          LIMIT
                                            + $13::bigint
                                        ) AS "t12"
                                    ) AS "t11"
                                  ORDER BY
                                    "t11"."number" DESC
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
                                  '{"id":' || coalesce(
                                    to_json(
                                      'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || "t5"."position"
                                    )::text,
                                    chr(3)
                                  ) || ',"product":' || CASE
                                    WHEN "t7"."id" IS NOT NULL THEN (
                                      '{"id":' || coalesce('"prd_' || "t7"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t7"."name")::text, chr(3)) || ',"category":' || CASE
                                        WHEN "t8"."id" IS NOT NULL THEN (
                                          '{"id":' || coalesce('"cat_' || "t8"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t8"."name")::text, chr(3)) || ',"parent":' || CASE
                                            WHEN "t9"."id" IS NOT NULL THEN (
                                              '{"id":' || coalesce('"cat_' || "t9"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t9"."name")::text, chr(3)) || '}'
                                            )
                                            ELSE 'null'
                                          END || '}'
                                        )
                                        ELSE 'null'
                                      END || '}'
                                    )
                                    ELSE 'null'
                                  END || '}'
                                ) AS "item"
                              FROM
                                "order_line" AS "t5"
                                LEFT JOIN "product" AS "t7" ON "t7"."id" = "t5"."product_id"
                                LEFT JOIN "category" AS "t8" ON "t8"."id" = "t7"."category_id"
                                LEFT JOIN "category" AS "t9" ON "t9"."id" = "t8"."parent_id"
                              WHERE
                                "t5"."order_id" = "t4"."id"
                              ORDER BY
                                ("t5"."order_id" COLLATE "C"),
                                "t5"."position"
                              LIMIT
                                + $14::bigint
                            ) AS "t6"
                        ) || '}'
                      ),
                      ','
                    ),
                    ''
                  ) || '],"pageInfo":{"hasNextPage":' || CASE
                    WHEN count(*) = + $15::bigint
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "t13" AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $16::bigint
                    ) THEN 'true'
                    ELSE 'false'
                  END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                    (
                      SELECT
                        (
                          chr(1) || '1[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            *
                          FROM
                            "t13"
                          LIMIT
                            + $17::bigint
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
                          chr(1) || '1[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            *
                          FROM
                            "t13"
                          LIMIT
                            + $18::bigint
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $19::bigint
                    ),
                    (
                      SELECT
                        (
                          chr(1) || '1[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            "t14".*,
                            row_number() OVER () AS "number_"
                          FROM
                            (
                              SELECT
                                *
                              FROM
                                "t13"
                              LIMIT
                                + $20::bigint
                            ) AS "t14"
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
                (
                  SELECT
                    *
                  FROM
                    "t13"
                  LIMIT
                    + $21::bigint
                ) AS "t4"
            ) || '}'
          ) AS "item"
        FROM
          "customer" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $22::bigint
      ) AS "t2"
  ) AS "r0"
