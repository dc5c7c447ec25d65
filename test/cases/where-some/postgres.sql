SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "customer" AS "t1"
        WHERE
          EXISTS (
            SELECT
              1
            FROM
              "order" AS "t2"
            WHERE
              "t2"."customer_id" = "t1"."id"
              AND EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t3"
                WHERE
                  "t3"."order_id" = "t2"."id"
                  AND "t3"."quantity" > $1::integer
              )
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
                to_json(('cus_' || "t4"."id")::text)::text,
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
                  + $3::bigint
              )
          ),
          ''
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "customer" AS "t7"
          WHERE
            EXISTS (
              SELECT
                1
              FROM
                "order" AS "t8"
              WHERE
                "t8"."customer_id" = "t7"."id"
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t9"
                  WHERE
                    "t9"."order_id" = "t8"."id"
                    AND "t9"."quantity" > $4::integer
                )
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $5::bigint THEN 'true'
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
              + $6::bigint
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
              + $7::bigint
            OFFSET
              + $8::bigint
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
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + $9::bigint
                  ) AS "t6"
              ) AS "t4"
            ORDER BY
              "t4"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t5" AS "t4"
  ) AS "r0"
