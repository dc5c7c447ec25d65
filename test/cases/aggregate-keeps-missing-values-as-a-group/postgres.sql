SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."id"
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
                + $2::bigint
            ) AS "t6"
        ) || ',"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"exhibit_' || "t2"."id" || '"', chr(3)) || '}'
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
                chr(1) || '0[[' || coalesce("t2"."id"::text, chr(3)) || ']]' || chr(2)
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
                chr(1) || '0[[' || coalesce("t2"."id"::text, chr(3)) || ']]' || chr(2)
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
                chr(1) || '0[[' || coalesce("t2"."id"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t4".*,
                  row_number() OVER () AS "number"
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
          "t3"
        LIMIT
          + $9::bigint
      ) AS "t2"
  ) AS "r0"
