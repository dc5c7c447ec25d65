SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."hall" AS "hall",
          "t1"."number" AS "number"
        FROM
          "place" AS "t1"
        ORDER BY
          ("t1"."hall" COLLATE "C"),
          "t1"."number"
        LIMIT
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(
                  'place_' || replace(replace("t2"."hall", '%', '%25'), '~', '%7E') || '~' || "t2"."number"
                )::text,
                chr(3)
              ) || ',"hall":' || coalesce(to_json("t2"."hall")::text, chr(3)) || ',"number":' || coalesce("t2"."number"::text, chr(3)) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $2::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t3" AS "t2"
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
                chr(1) || '0[[' || coalesce(to_json("t2"."hall")::text, chr(3)) || ',' || coalesce("t2"."number"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t3"
                LIMIT
                  + $4::bigint
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
                chr(1) || '0[[' || coalesce(to_json("t2"."hall")::text, chr(3)) || ',' || coalesce("t2"."number"::text, chr(3)) || ']]' || chr(2)
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
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."hall")::text, chr(3)) || ',' || coalesce("t2"."number"::text, chr(3)) || ']]' || chr(2)
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
                      + $7::bigint
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
      (
        SELECT
          *
        FROM
          "t3"
        LIMIT
          + $8::bigint
      ) AS "t2"
  ) AS "r0"
