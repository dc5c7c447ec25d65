SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."placed_at" AS "placed_at"
        FROM
          "order" AS "t1"
        WHERE
          (
            "t1"."placed_at" <= $1::timestamptz
            AND "t1"."placed_at" > $2::timestamptz
          )
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $3::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('ord_' || "t2"."id")::text)::text,
                chr(3)
              ) || ',"placedAt":' || CASE
                WHEN "t2"."placed_at" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t2"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t2"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t2"."placed_at"::timestamptz AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  chr(3)
                )
              END || '}'
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
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "order" AS "t5"
          WHERE
            (
              "t5"."placed_at" <= $5::timestamptz
              AND "t5"."placed_at" > $6::timestamptz
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $7::bigint THEN 'true'
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
              + $8::bigint
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
              + $9::bigint
            OFFSET
              + $10::bigint
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
                      + $11::bigint
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
