SELECT
  (
    SELECT
      (
        '{"groups":' || (
          SELECT
            (
              '[' || coalesce(
                string_agg(
                  (
                    '{"key":{"status":' || coalesce(to_json("t6"."a1")::text, chr(3)) || '},"count":' || "t6"."a2" || ',"sum":{"total":' || CASE
                      WHEN "t6"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t6"."a3") < 'Infinity' THEN '"' || round("t6"."a3", 2) || '"'
                        END,
                        chr(3)
                      )
                    END || '}}'
                  ),
                  ','
                ),
                ''
              ) || ']'
            )
          FROM
            (
              SELECT
                ("t5"."status" COLLATE "C") AS "a1",
                count(*) AS "a2",
                sum("t5"."total") AS "a3"
              FROM
                "order" AS "t5"
              GROUP BY
                1
              ORDER BY
                1 NULLS LAST
              LIMIT
                + $1::bigint
            ) AS "t6"
        ) || ',"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $2::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "order" AS "t3"
            ORDER BY
              ("t3"."id" COLLATE "C")
            LIMIT
              1
            OFFSET
              + $3::bigint
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
                  "t3"."id" AS "id"
                FROM
                  "order" AS "t3"
                ORDER BY
                  ("t3"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  0
              ) AS "t4"
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
                  "t3"."id" AS "id"
                FROM
                  "order" AS "t3"
                ORDER BY
                  ("t3"."id" COLLATE "C")
                LIMIT
                  + $5::bigint
                OFFSET
                  + $6::bigint
              ) AS "t4"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t7".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "order" AS "t3"
                    ORDER BY
                      ("t3"."id" COLLATE "C")
                    LIMIT
                      + $7::bigint
                  ) AS "t7"
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
          (
            '{"id":' || coalesce('"ord_' || "t1"."id" || '"', chr(3)) || '}'
          ) AS "item"
        FROM
          "order" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $8::bigint
      ) AS "t2"
  ) AS "r0"
