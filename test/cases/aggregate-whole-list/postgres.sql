SELECT
  (
    SELECT
      concat(
        '{"aggregate":',
        (
          SELECT
            concat(
              '{"count":',
              "t5"."a1",
              ',"sum":{"total":',
              CASE
                WHEN "t5"."a2" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t5"."a2") < 'Infinity' THEN '"' || round("t5"."a2", 2) || '"'
                  END,
                  chr(3)
                )
              END,
              '},"avg":{"total":',
              CASE
                WHEN "t5"."a3" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t5"."a3") < 'Infinity' THEN ("t5"."a3"::float8 + 0)::text
                  END,
                  chr(3)
                )
              END,
              '},"min":{"placedAt":',
              CASE
                WHEN "t5"."a4" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t5"."a4" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t5"."a4" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(to_json("t5"."a4" AT TIME ZONE 'UTC')::text, '"') || 'Z"'
                  END,
                  chr(3)
                )
              END,
              ',"total":',
              CASE
                WHEN "t5"."a5" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t5"."a5") < 'Infinity' THEN '"' || round("t5"."a5", 2) || '"'
                  END,
                  chr(3)
                )
              END,
              '},"max":{"placedAt":',
              CASE
                WHEN "t5"."a6" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t5"."a6" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t5"."a6" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(to_json("t5"."a6" AT TIME ZONE 'UTC')::text, '"') || 'Z"'
                  END,
                  chr(3)
                )
              END,
              '}}'
            )
          FROM
            (
              SELECT
                count(*) AS "a1",
                sum("t4"."total") AS "a2",
                sum("t4"."total")::float8 / nullif(count("t4"."total"), 0) AS "a3",
                min("t4"."placed_at") AS "a4",
                min("t4"."total") AS "a5",
                max("t4"."placed_at") AS "a6"
              FROM
                "order" AS "t4"
              WHERE
                "t4"."status" = ANY ($1::text[])
            ) AS "t5"
        ),
        ',"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"ord_' || "t2"."id" || '"', chr(3)),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number_" <= $2::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $3::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= $4::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
                WHEN "t2"."size" > $5::bigint THEN $6::bigint
                ELSE "t2"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t3".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              "t1"."status" = ANY ($7::text[])
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $8::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
