SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $1::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "place" AS "t3"
            ORDER BY
              ("t3"."hall" COLLATE "C"),
              "t3"."number"
            LIMIT
              1
            OFFSET
              + $2::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."hall")::text, chr(3)) || ',' || coalesce("t4"."number"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."hall" AS "hall",
                  "t3"."number" AS "number"
                FROM
                  "place" AS "t3"
                ORDER BY
                  ("t3"."hall" COLLATE "C"),
                  "t3"."number"
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t4"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."hall")::text, chr(3)) || ',' || coalesce("t4"."number"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."hall" AS "hall",
                  "t3"."number" AS "number"
                FROM
                  "place" AS "t3"
                ORDER BY
                  ("t3"."hall" COLLATE "C"),
                  "t3"."number"
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t4"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."hall")::text, chr(3)) || ',' || coalesce("t4"."number"::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      "t3"."hall" AS "hall",
                      "t3"."number" AS "number"
                    FROM
                      "place" AS "t3"
                    ORDER BY
                      ("t3"."hall" COLLATE "C"),
                      "t3"."number"
                    LIMIT
                      + $6::bigint
                  ) AS "t5"
              ) AS "t4"
            ORDER BY
              "t4"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          (
            '{"id":' || coalesce(
              to_json(
                'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || "t1"."number"
              )::text,
              chr(3)
            ) || ',"hall":' || coalesce(to_json("t1"."hall")::text, chr(3)) || ',"number":' || coalesce("t1"."number"::text, chr(3)) || '}'
          ) AS "item"
        FROM
          "place" AS "t1"
        ORDER BY
          ("t1"."hall" COLLATE "C"),
          "t1"."number"
        LIMIT
          + $7::bigint
      ) AS "t2"
  ) AS "r0"
