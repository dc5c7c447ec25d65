SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."mood" AS "mood",
          "t1"."height" AS "height"
        FROM
          "exhibit" AS "t1"
        WHERE
          (
            "t1"."height" > $1::double precision
            AND TRUE
            AND ("t1"."mood" = $2::text) IS NOT TRUE
          )
        ORDER BY
          "t1"."id"
        LIMIT
          + $3::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              coalesce(
                '{"id":"exhibit_' || ("t2"."id" | 0) || '","mood":',
                '{"id":' || chr(3) || ',"mood":'
              ) || coalesce(to_json("t2"."mood"::text)::text, 'null') || ',"height":' || CASE
                WHEN "t2"."height" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t2"."height" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN ("t2"."height"::float8 + 0)::text
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
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $5::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(
                  CASE
                    WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."id" | 0)::text
                  END,
                  '["text",' || to_json("t2"."id"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
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
                chr(1) || '0[[' || coalesce(
                  CASE
                    WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."id" | 0)::text
                  END,
                  '["text",' || to_json("t2"."id"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
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
                chr(1) || '0[[' || coalesce(
                  CASE
                    WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."id" | 0)::text
                  END,
                  '["text",' || to_json("t2"."id"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
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
                      + $9::bigint
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
