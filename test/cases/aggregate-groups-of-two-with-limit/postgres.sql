SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "product" AS "t1"
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
                    '{"key":{"active":' || coalesce("t6"."a1"::text, chr(3)) || ',"categoryId":' || coalesce('"cat_' || "t6"."a2" || '"', chr(3)) || '},"count":' || "t6"."a3" || ',"avg":{"weight":' || CASE
                      WHEN "t6"."a4" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t6"."a4") < 'Infinity' THEN ("t6"."a4"::float8 + 0)::text
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
                "t5"."active" AS "a1",
                ("t5"."category_id" COLLATE "C") AS "a2",
                count(*) AS "a3",
                sum("t5"."weight"::float8)::float8 / nullif(count("t5"."weight"), 0) AS "a4"
              FROM
                "product" AS "t5"
              GROUP BY
                1,
                2
              ORDER BY
                1 NULLS LAST,
                2 NULLS LAST
              LIMIT
                + $2::bigint
            ) AS "t6"
        ) || ',"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"prd_' || "t2"."id" || '"', chr(3)) || '}'
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
