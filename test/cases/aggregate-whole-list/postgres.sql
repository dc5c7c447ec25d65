SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          "t1"."status" = ANY ($1::text[])
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $2::bigint
      )
    SELECT
      (
        '{"aggregate":' || (
          SELECT
            (
              '{"count":' || "t6"."a1" || ',"sum":{"total":' || CASE
                WHEN "t6"."a2" IS NULL THEN 'null'
                ELSE coalesce(
                  '"' || CASE
                    WHEN scale("t6"."a2") IS NOT NULL THEN round("t6"."a2", 2)
                  END || '"',
                  chr(3)
                )
              END || '},"avg":{"total":' || CASE
                WHEN "t6"."a3" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN (
                      CASE
                        WHEN abs("t6"."a3") <= 1.7976931348623157e308 THEN (
                          CASE
                            WHEN abs(round("t6"."a3", 323)::float8) > "t6"."a4" * '5e-324'::float8 - abs(round("t6"."a3", 323)::float8) THEN round("t6"."a3", 323)::float8 / "t6"."a4"
                            ELSE 0
                          END
                        )
                        WHEN abs("t6"."a3" / "t6"."a4") <= 1.7976931348623157e308 THEN ("t6"."a3" / "t6"."a4")::float8
                      END
                    ) BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN (
                      (
                        CASE
                          WHEN abs("t6"."a3") <= 1.7976931348623157e308 THEN (
                            CASE
                              WHEN abs(round("t6"."a3", 323)::float8) > "t6"."a4" * '5e-324'::float8 - abs(round("t6"."a3", 323)::float8) THEN round("t6"."a3", 323)::float8 / "t6"."a4"
                              ELSE 0
                            END
                          )
                          WHEN abs("t6"."a3" / "t6"."a4") <= 1.7976931348623157e308 THEN ("t6"."a3" / "t6"."a4")::float8
                        END
                      )::float8 + 0
                    )::text
                  END,
                  chr(3)
                )
              END || '},"min":{"placedAt":' || CASE
                WHEN "t6"."a5" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t6"."a5" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t6"."a5" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t6"."a5"::timestamptz AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  chr(3)
                )
              END || ',"total":' || CASE
                WHEN "t6"."a6" IS NULL THEN 'null'
                ELSE coalesce(
                  '"' || CASE
                    WHEN scale("t6"."a6") IS NOT NULL THEN round("t6"."a6", 2)
                  END || '"',
                  chr(3)
                )
              END || '},"max":{"placedAt":' || CASE
                WHEN "t6"."a7" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t6"."a7" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t6"."a7" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t6"."a7"::timestamptz AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  chr(3)
                )
              END || '}}'
            )
          FROM
            (
              SELECT
                count(*) AS "a1",
                sum("t5"."total") AS "a2",
                sum("t5"."total") AS "a3",
                count("t5"."total") AS "a4",
                min("t5"."placed_at") AS "a5",
                min("t5"."total") AS "a6",
                max("t5"."placed_at") AS "a7"
              FROM
                "order" AS "t5"
              WHERE
                "t5"."status" = ANY ($3::text[])
            ) AS "t6"
        ) || ',"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('ord_' || "t2"."id")::text)::text,
                chr(3)
              ) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."id" IS DISTINCT FROM (
                SELECT
                  "t2"."id"
                FROM
                  "t3" AS "t2"
                LIMIT
                  1
                OFFSET
                  + $4::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $5::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $6::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $7::bigint
            OFFSET
              + $8::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
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
                      + $9::bigint
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
      "t3" AS "t2"
  ) AS "r0"
