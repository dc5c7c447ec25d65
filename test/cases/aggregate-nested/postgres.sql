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
              "customer" AS "t9"
            ORDER BY
              ("t9"."id" COLLATE "C")
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
                chr(1) || '1[[' || coalesce(to_json("t10"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t9"."id" AS "id"
                FROM
                  "customer" AS "t9"
                ORDER BY
                  ("t9"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t10"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t10"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t9"."id" AS "id"
                FROM
                  "customer" AS "t9"
                ORDER BY
                  ("t9"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t10"
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t10"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t11".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t9"."id" AS "id"
                    FROM
                      "customer" AS "t9"
                    ORDER BY
                      ("t9"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t11"
              ) AS "t10"
            ORDER BY
              "t10"."number" DESC
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
                  '{"aggregate":' || (
                    SELECT
                      (
                        '{"count":' || "t8"."a1" || ',"sum":{"total":' || CASE
                          WHEN "t8"."a2" IS NULL THEN 'null'
                          ELSE coalesce(
                            CASE
                              WHEN abs("t8"."a2") < 'Infinity' THEN '"' || round("t8"."a2", 2) || '"'
                            END,
                            chr(3)
                          )
                        END || '}}'
                      )
                    FROM
                      (
                        SELECT
                          count(*) AS "a1",
                          sum("t7"."total") AS "a2"
                        FROM
                          "order" AS "t7"
                        WHERE
                          "t7"."customer_id" = "t1"."id"
                      ) AS "t8"
                  ) || ',"nodes":[' || coalesce(
                    string_agg(
                      (
                        '{"id":' || coalesce('"ord_' || "t4"."id" || '"', chr(3)) || '}'
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
                        "t5" AS "t4"
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
                            "t5"
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
                            "t5"
                          LIMIT
                            + $11::bigint
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $12::bigint
                    ),
                    (
                      SELECT
                        (
                          chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
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
                                + $13::bigint
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
                    + $14::bigint
                ) AS "t4"
            ) || '}'
          ) AS "item"
        FROM
          "customer" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $15::bigint
      ) AS "t2"
  ) AS "r0"
