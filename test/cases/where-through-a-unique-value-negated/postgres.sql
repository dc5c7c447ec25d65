SELECT
  (
    WITH
      "t6" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          (
            (
              "t1"."status" = $1::text
              AND (
                "t1"."id" IN (
                  SELECT
                    "t2"."order_id"
                  FROM
                    "order_line" AS "t2"
                  WHERE
                    "t2"."product_id" = (
                      SELECT
                        "t3"."id"
                      FROM
                        "product" AS "t3"
                      WHERE
                        "t3"."slug" = $2::text
                      LIMIT
                        1
                    )
                )
              ) IS NOT TRUE
            )
            OR "t1"."customer_id" = (
              SELECT
                "t4"."id"
              FROM
                "customer" AS "t4"
              WHERE
                "t4"."email" = $3::text
              LIMIT
                1
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
                to_json(('ord_' || "t5"."id")::text)::text,
                chr(3)
              ) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t5"."id" IS DISTINCT FROM (
                SELECT
                  "t5"."id"
                FROM
                  "t6" AS "t5"
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
            "order" AS "t8"
          WHERE
            (
              (
                "t8"."status" = $6::text
                AND (
                  "t8"."id" IN (
                    SELECT
                      "t9"."order_id"
                    FROM
                      "order_line" AS "t9"
                    WHERE
                      "t9"."product_id" = (
                        SELECT
                          "t10"."id"
                        FROM
                          "product" AS "t10"
                        WHERE
                          "t10"."slug" = $7::text
                        LIMIT
                          1
                      )
                  )
                ) IS NOT TRUE
              )
              OR "t8"."customer_id" = (
                SELECT
                  "t11"."id"
                FROM
                  "customer" AS "t11"
                WHERE
                  "t11"."email" = $8::text
                LIMIT
                  1
              )
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $9::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t5"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t6" AS "t5"
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
                chr(1) || '0[[' || coalesce(to_json("t5"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t6" AS "t5"
            LIMIT
              + $11::bigint
            OFFSET
              + $12::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t5"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t7".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t6"
                    LIMIT
                      + $13::bigint
                  ) AS "t7"
              ) AS "t5"
            ORDER BY
              "t5"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t6" AS "t5"
  ) AS "r0"
