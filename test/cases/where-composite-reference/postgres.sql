SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."place_hall" AS "place_hall",
          "t1"."place_number" AS "place_number"
        FROM
          "exhibit" AS "t1"
        WHERE
          ("t1"."place_hall", "t1"."place_number") IN (
            SELECT
              (tuple ->> 0)::text,
              (tuple ->> 1)::integer
            FROM
              jsonb_array_elements($1::jsonb) AS tuple
          )
        ORDER BY
          "t1"."id"
        LIMIT
          + $2::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              coalesce(
                '{"id":"exhibit_' || ("t2"."id" | 0) || '","placeId":',
                '{"id":' || chr(3) || ',"placeId":'
              ) || coalesce(
                to_json(
                  (
                    'place_' || replace(
                      replace("t2"."place_hall", '%', '%25'),
                      '~',
                      '%7E'
                    ) || '~' || ("t2"."place_number" | 0)
                  )::text
                )::text,
                'null'
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
                  + $3::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $4::bigint THEN 'true'
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
              + $5::bigint
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
              + $6::bigint
            OFFSET
              + $7::bigint
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
      "t3" AS "t2"
  ) AS "r0"
