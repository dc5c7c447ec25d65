SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          EXISTS (
            SELECT
              1
            FROM
              "customer" AS "t2"
            WHERE
              "t2"."id" = "t1"."customer_id"
              AND (
                right(("t2"."email" COLLATE "C"), length($1::text)) = $2::text
                AND "t2"."newsletter" = $3::boolean
              )
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
                to_json(('ord_' || "t3"."id")::text)::text,
                chr(3)
              ) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."id" IS DISTINCT FROM (
                SELECT
                  "t3"."id"
                FROM
                  "t4" AS "t3"
                LIMIT
                  1
                OFFSET
                  + $5::bigint
              )
          ),
          ''
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "order" AS "t6"
          WHERE
            EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t7"
              WHERE
                "t7"."id" = "t6"."customer_id"
                AND (
                  right(("t7"."email" COLLATE "C"), length($6::text)) = $7::text
                  AND "t7"."newsletter" = $8::boolean
                )
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $9::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t3"
            LIMIT
              + $10::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t3"
            LIMIT
              + $11::bigint
            OFFSET
              + $12::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t4"
                    LIMIT
                      + $13::bigint
                  ) AS "t5"
              ) AS "t3"
            ORDER BY
              "t3"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t4" AS "t3"
  ) AS "r0"
