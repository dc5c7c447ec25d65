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
              "customer" AS "t8"
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
                  "customer" AS "t8"
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
                  "customer" AS "t8"
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
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t8"."id" AS "id"
                    FROM
                      "customer" AS "t8"
                    ORDER BY
                      ("t8"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t10"
              ) AS "t9"
            ORDER BY
              "t9"."number" DESC
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
                "t5" AS MATERIALIZED (
                  SELECT
                    "t3"."id" AS "id",
                    "t3"."total" AS "total"
                  FROM
                    "order" AS "t3"
                  WHERE
                    "t3"."customer_id" = "t1"."id"
                    AND "t3"."status" = $7::text
                  ORDER BY
                    "t3"."total" DESC,
                    ("t3"."id" COLLATE "C")
                  LIMIT
                    + $8::bigint
                )
              SELECT
                (
                  '{"nodes":[' || coalesce(
                    string_agg(
                      (
                        '{"id":' || coalesce('"ord_' || "t4"."id" || '"', chr(3)) || ',"total":' || coalesce(
                          CASE
                            WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                          END,
                          chr(3)
                        ) || '}'
                      ),
                      ','
                    ),
                    ''
                  ) || '],"totalCount":' || (
                    SELECT
                      count(*)
                    FROM
                      "order" AS "t7"
                    WHERE
                      "t7"."customer_id" = "t1"."id"
                      AND "t7"."status" = $9::text
                  ) || ',"pageInfo":{"hasNextPage":' || CASE
                    WHEN count(*) = + $10::bigint
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "t5" AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $11::bigint
                    ) THEN 'true'
                    ELSE 'false'
                  END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                    (
                      SELECT
                        (
                          chr(1) || '0[' || coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            chr(3)
                          ) || ',[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            *
                          FROM
                            "t5"
                          LIMIT
                            + $12::bigint
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
                          chr(1) || '0[' || coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            chr(3)
                          ) || ',[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                        )
                      FROM
                        (
                          SELECT
                            *
                          FROM
                            "t5"
                          LIMIT
                            + $13::bigint
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $14::bigint
                    ),
                    (
                      SELECT
                        (
                          chr(1) || '0[' || coalesce(
                            CASE
                              WHEN abs("t4"."total") < 'Infinity' THEN '"' || round("t4"."total", 2) || '"'
                            END,
                            chr(3)
                          ) || ',[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
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
                                + $15::bigint
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
                (
                  SELECT
                    *
                  FROM
                    "t5"
                  LIMIT
                    + $16::bigint
                ) AS "t4"
            ) || '}'
          ) AS "item"
        FROM
          "customer" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $17::bigint
      ) AS "t2"
  ) AS "r0"
