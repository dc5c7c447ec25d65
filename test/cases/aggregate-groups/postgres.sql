SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      )
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
                + $2::bigint
            ) AS "t6"
        ) || ',"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"ord_' || "t2"."id" || '"', chr(3)) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $3::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t3" AS "t2"
            LIMIT
              1
            OFFSET
              + $4::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t3"
                LIMIT
                  + $5::bigint
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
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t3"
                LIMIT
                  + $6::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $7::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t4".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t3"
                    LIMIT
                      + $8::bigint
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
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
          "t3"
        LIMIT
          + $9::bigint
      ) AS "t2"
  ) AS "r0"
