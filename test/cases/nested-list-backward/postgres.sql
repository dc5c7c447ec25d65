SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
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
                      "t6".*,
                      row_number() OVER () AS "number_"
                    FROM
                      (
                        SELECT
                          "t3"."id" AS "id",
                          "t3"."number" AS "number"
                        FROM
                          "order" AS "t3"
                        WHERE
                          "t3"."customer_id" = "t2"."id"
                        ORDER BY
                          ("t3"."id" COLLATE "C") DESC
                        LIMIT
                          + $2::bigint
                      ) AS "t6"
                  )
                SELECT
                  (
                    '{"nodes":[' || coalesce(
                      string_agg(
                        (
                          '{"id":' || coalesce('"ord_' || "t4"."id" || '"', chr(3)) || ',"number":' || coalesce(to_json("t4"."number")::text, chr(3)) || '}'
                        ),
                        ','
                        ORDER BY
                          "t4"."number_" DESC
                      ),
                      ''
                    ) || '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":' || CASE
                      WHEN count(*) = + $3::bigint
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          "t5" AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $4::bigint
                      ) THEN 'true'
                      ELSE 'false'
                    END || ',"startCursor":' || coalesce(
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
                              + $5::bigint
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $6::bigint
                      ),
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
                              + $7::bigint
                          ) AS "t4"
                        ORDER BY
                          "t4"."number_" DESC
                        LIMIT
                          1
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
                              + $8::bigint
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          0
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
                      + $9::bigint
                  ) AS "t4"
              ) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $10::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t7" AS "t2"
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
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t7"
                LIMIT
                  + $12::bigint
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
                  "t7"
                LIMIT
                  + $13::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $14::bigint
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t8".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t7"
                    LIMIT
                      + $15::bigint
                  ) AS "t8"
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
          "t7"
        LIMIT
          + $16::bigint
      ) AS "t2"
  ) AS "r0"
