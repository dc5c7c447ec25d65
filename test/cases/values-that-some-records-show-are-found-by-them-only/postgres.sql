SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          CASE
            WHEN "t1"."id" = $1::text THEN "t1"."email"
          END AS "email"
        FROM
          "customer" AS "t1"
        WHERE
          (
            "t1"."id" = $2::text
            AND strpos(("t1"."email" COLLATE "C"), $3::text) > 0
          )
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $4::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('cus_' || "t2"."id")::text)::text,
                chr(3)
              ) || ',"email":' || coalesce(to_json("t2"."email"::text)::text, 'null') || '}'
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
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
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
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $10::bigint
            OFFSET
              0
          ),
          'null'
        ) || '},"totalCount":' || (
          SELECT
            count(*)
          FROM
            "customer" AS "t5"
          WHERE
            (
              "t5"."id" = $11::text
              AND strpos(("t5"."email" COLLATE "C"), $12::text) > 0
            )
        ) || '}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
