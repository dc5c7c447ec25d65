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
              "order" AS "t8"
            ORDER BY
              ("t8"."id" COLLATE "C")
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
                chr(1) || '1[[' || coalesce(to_json("t9"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t8"."id" AS "id"
                FROM
                  "order" AS "t8"
                ORDER BY
                  ("t8"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t9"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t9"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t8"."id" AS "id"
                FROM
                  "order" AS "t8"
                ORDER BY
                  ("t8"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t9"
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t9"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t10".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      "t8"."id" AS "id"
                    FROM
                      "order" AS "t8"
                    ORDER BY
                      ("t8"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t10"
              ) AS "t9"
            ORDER BY
              "t9"."number_" DESC
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
            '{"id":' || coalesce('"ord_' || "t1"."id" || '"', chr(3)) || ',"lines":' || (
              SELECT
                (
                  '{"nodes":[' || coalesce(string_agg("t4"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
                    WHEN count(*) = + $7::bigint
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "order_line" AS "t5"
                      WHERE
                        "t5"."order_id" = "t1"."id"
                      ORDER BY
                        ("t5"."order_id" COLLATE "C"),
                        "t5"."position"
                      LIMIT
                        1
                      OFFSET
                        + $8::bigint
                    ) THEN 'true'
                    ELSE 'false'
                  END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                    (
                      SELECT
                        (
                          chr(1) || '0[[' || coalesce(to_json("t6"."order_id")::text, chr(3)) || ',' || coalesce("t6"."position"::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            "t5"."order_id" AS "order_id",
                            "t5"."position" AS "position"
                          FROM
                            "order_line" AS "t5"
                          WHERE
                            "t5"."order_id" = "t1"."id"
                          ORDER BY
                            ("t5"."order_id" COLLATE "C"),
                            "t5"."position"
                          LIMIT
                            + $9::bigint
                          OFFSET
                            0
                        ) AS "t6"
                    ),
                    'null'
                  ) || ',"endCursor":' || coalesce(
                    (
                      SELECT
                        (
                          chr(1) || '0[[' || coalesce(to_json("t6"."order_id")::text, chr(3)) || ',' || coalesce("t6"."position"::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            "t5"."order_id" AS "order_id",
                            "t5"."position" AS "position"
                          FROM
                            "order_line" AS "t5"
                          WHERE
                            "t5"."order_id" = "t1"."id"
                          ORDER BY
                            ("t5"."order_id" COLLATE "C"),
                            "t5"."position"
                          LIMIT
                            + $10::bigint
                          OFFSET
                            + $11::bigint
                        ) AS "t6"
                    ),
                    (
                      SELECT
                        (
                          chr(1) || '0[[' || coalesce(to_json("t6"."order_id")::text, chr(3)) || ',' || coalesce("t6"."position"::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            "t7".*,
                            row_number() OVER () AS "number"
                          FROM
                            (
                              SELECT
                                "t5"."order_id" AS "order_id",
                                "t5"."position" AS "position"
                              FROM
                                "order_line" AS "t5"
                              WHERE
                                "t5"."order_id" = "t1"."id"
                              ORDER BY
                                ("t5"."order_id" COLLATE "C"),
                                "t5"."position"
                              LIMIT
                                + $12::bigint
                            ) AS "t7"
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
                    (
                      '{"id":' || coalesce(
                        to_json(
                          'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || "t3"."position"
                        )::text,
                        chr(3)
                      ) || ',"quantity":' || coalesce("t3"."quantity"::text, chr(3)) || '}'
                    ) AS "item"
                  FROM
                    "order_line" AS "t3"
                  WHERE
                    "t3"."order_id" = "t1"."id"
                  ORDER BY
                    ("t3"."order_id" COLLATE "C"),
                    "t3"."position"
                  LIMIT
                    + $13::bigint
                ) AS "t4"
            ) || '}'
          ) AS "item"
        FROM
          "order" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $14::bigint
      ) AS "t2"
  ) AS "r0"
