SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          (
            EXISTS (
              SELECT
                1
              FROM
                "order_line" AS "t2"
              WHERE
                "t2"."order_id" = "t1"."id"
                AND TRUE
            )
            AND NOT EXISTS (
              SELECT
                1
              FROM
                "order_line" AS "t3"
              WHERE
                "t3"."order_id" = "t1"."id"
                AND (("t3"."gift_message" IS NOT NULL)) IS NOT TRUE
            )
          )
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('ord_' || "t4"."id")::text)::text,
                chr(3)
              ) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t4"."id" IS DISTINCT FROM (
                SELECT
                  "t4"."id"
                FROM
                  "t5" AS "t4"
                LIMIT
                  1
                OFFSET
                  + $2::bigint
              )
          ),
          ''
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "order" AS "t7"
          WHERE
            (
              EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t8"
                WHERE
                  "t8"."order_id" = "t7"."id"
                  AND TRUE
              )
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t9"
                WHERE
                  "t9"."order_id" = "t7"."id"
                  AND (("t9"."gift_message" IS NOT NULL)) IS NOT TRUE
              )
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $3::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t5" AS "t4"
            LIMIT
              + $4::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t5" AS "t4"
            LIMIT
              + $5::bigint
            OFFSET
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t6".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + $7::bigint
                  ) AS "t6"
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
      "t5" AS "t4"
  ) AS "r0"
