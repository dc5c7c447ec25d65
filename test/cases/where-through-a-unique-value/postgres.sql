SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          "t1"."customer_id" = (
            SELECT
              "t2"."id"
            FROM
              "customer" AS "t2"
            WHERE
              "t2"."email" = $1::text
            LIMIT
              1
          )
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $2::bigint
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
                  + $3::bigint
              )
          ),
          ''
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "order" AS "t6"
          WHERE
            "t6"."customer_id" = (
              SELECT
                "t7"."id"
              FROM
                "customer" AS "t7"
              WHERE
                "t7"."email" = $4::text
              LIMIT
                1
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $5::bigint THEN 'true'
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
              + $6::bigint
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
              + $7::bigint
            OFFSET
              + $8::bigint
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
                      + $9::bigint
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
