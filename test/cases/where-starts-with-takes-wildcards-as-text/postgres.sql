SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."title" AS "title",
          "t1"."subtitle" AS "subtitle"
        FROM
          "exhibit" AS "t1"
        WHERE
          (
            starts_with(("t1"."title" COLLATE "C"), $1::text)
            OR right(("t1"."subtitle" COLLATE "C"), length($2::text)) = $3::text
          )
        ORDER BY
          "t1"."id"
        LIMIT
          + $4::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              coalesce(
                '{"id":"exhibit_' || ("t2"."id" | 0) || '","title":',
                '{"id":' || chr(3) || ',"title":'
              ) || coalesce(to_json("t2"."title"::text)::text, chr(3)) || ',"subtitle":' || coalesce(to_json("t2"."subtitle"::text)::text, 'null') || '}'
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
                  + $5::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $6::bigint THEN 'true'
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
              + $7::bigint
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
              + $8::bigint
            OFFSET
              + $9::bigint
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
                      + $10::bigint
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
