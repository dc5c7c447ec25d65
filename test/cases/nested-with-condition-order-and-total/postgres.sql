SELECT
  (
    WITH
      "t8" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "customer" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"cus_' || "t2"."id" || '"', chr(3)) || ',"orders":' || (
                WITH
                  "t5" AS MATERIALIZED (
                    SELECT
                      "t3"."id" AS "id",
                      "t3"."total" AS "total"
                    FROM
                      "order" AS "t3"
                    WHERE
                      "t3"."customer_id" = "t2"."id"
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
                        "t7"."customer_id" = "t2"."id"
                        AND "t7"."status" = $4::text
                    ) || ',"pageInfo":{"hasNextPage":' || CASE
                      WHEN count(*) = + $5::bigint
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          "t5" AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $6::bigint
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
                              + $7::bigint
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
                              + $8::bigint
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $9::bigint
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
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + $11::bigint
                  ) AS "t4"
              ) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $12::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t8" AS "t2"
            LIMIT
              1
            OFFSET
              + $13::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t8"
                LIMIT
                  + $14::bigint
              ) AS "t2"
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
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t8"
                LIMIT
                  + $15::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $16::bigint
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t9".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t8"
                    LIMIT
                      + $17::bigint
                  ) AS "t9"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
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
          + $18::bigint
      ) AS "t2"
  ) AS "r0"
