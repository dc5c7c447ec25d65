SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."colours" AS "colours"
        FROM
          "product" AS "t1"
        WHERE
          (
            "t1"."colours"::text[] && $1::text[]
            AND "t1"."colours"::text[] @> $2::text[]
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
                to_json(('prd_' || "t2"."id")::text)::text,
                chr(3)
              ) || ',"colours":' || coalesce(
                CASE
                  WHEN "t2"."colours" IS NOT NULL
                  AND coalesce(array_ndims("t2"."colours"), 1) = 1 THEN (
                    SELECT
                      CASE
                        WHEN bool_or((to_json(item.value::text)::text) IS NULL) THEN NULL
                        ELSE '[' || coalesce(
                          string_agg(
                            to_json(item.value::text)::text,
                            ','
                            ORDER BY
                              item.place
                          ),
                          ''
                        ) || ']'
                      END
                    FROM
                      unnest("t2"."colours") WITH ORDINALITY AS item (value, place)
                  )
                END,
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
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "product" AS "t5"
          WHERE
            (
              "t5"."colours"::text[] && $5::text[]
              AND "t5"."colours"::text[] @> $6::text[]
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
                  row_number() OVER () AS "number"
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
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
