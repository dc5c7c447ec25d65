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
                    '{"key":{"mood":' || coalesce(to_json("t6"."a1")::text, 'null') || '},"count":' || "t6"."a2" || ',"max":{"madeOn":' || CASE
                      WHEN "t6"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN "t6"."a3" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json("t6"."a3")::text
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
                ("t5"."mood" COLLATE "C") AS "a1",
                count(*) AS "a2",
                max("t5"."made_on") AS "a3"
              FROM
                "exhibit" AS "t5"
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
              "exhibit" AS "t3"
            ORDER BY
              "t3"."id"
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
                chr(1) || '0[[' || coalesce("t4"."id"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "exhibit" AS "t3"
                ORDER BY
                  "t3"."id"
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
                chr(1) || '0[[' || coalesce("t4"."id"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "exhibit" AS "t3"
                ORDER BY
                  "t3"."id"
                LIMIT
                  + $5::bigint
                OFFSET
                  + $6::bigint
              ) AS "t4"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce("t4"."id"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t7".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "exhibit" AS "t3"
                    ORDER BY
                      "t3"."id"
                    LIMIT
                      + $7::bigint
                  ) AS "t7"
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
          (
            '{"id":' || coalesce('"exhibit_' || "t1"."id" || '"', chr(3)) || '}'
          ) AS "item"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + $8::bigint
      ) AS "t2"
  ) AS "r0"
