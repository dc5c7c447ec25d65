SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t8".*,
          row_number() OVER () AS "number_"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."number" AS "number",
              "t1"."customer_id" AS "customer_id"
            FROM
              "order" AS "t1"
            WHERE
              "t1"."customer_id" = $1::text
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              + $2::bigint
          ) AS "t8"
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              coalesce(
                '{"id":"ord_' || "t2"."id" || '","number":',
                '{"id":' || chr(3) || ',"number":'
              ) || coalesce(to_json("t2"."number")::text, chr(3)) || ',"customer":' || CASE
                WHEN "t3"."id" IS NOT NULL THEN (
                  coalesce(
                    '{"id":"cus_' || "t3"."id" || '","name":',
                    '{"id":' || chr(3) || ',"name":'
                  ) || coalesce(to_json("t3"."name")::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || ',"lines":' || (
                SELECT
                  (
                    '{"nodes":[' || coalesce(string_agg("t6"."item", ','), '') || (
                      '],"pageInfo":{"hasNextPage":' || CASE
                        WHEN count(*) = + $3::bigint
                        AND EXISTS (
                          SELECT
                            1
                          FROM
                            (
                              SELECT
                                1
                              FROM
                                "order_line" AS "t4"
                              WHERE
                                "t4"."order_id" IN (
                                  SELECT
                                    "t5"."id"
                                  FROM
                                    "order" AS "t5"
                                  WHERE
                                    "t5"."customer_id" = $4::text
                                )
                                AND "t4"."order_id" = "t2"."id"
                              ORDER BY
                                ("t4"."order_id" COLLATE "C"),
                                "t4"."position"
                            ) AS "t6"
                          LIMIT
                            1
                          OFFSET
                            + $3::bigint
                        ) THEN 'true'
                        ELSE 'false'
                      END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
                        CASE
                          WHEN count(*) > 0 THEN (
                            chr(1) || '0[[' || coalesce(
                              to_json((array_agg("t6"."order_id")) [count(*)])::text,
                              chr(3)
                            ) || ',' || coalesce(
                              (array_agg("t6"."position")) [count(*)]::text,
                              chr(3)
                            ) || ']]' || chr(2)
                          )
                        END,
                        'null'
                      ) || ',"startCursor":' || coalesce(
                        CASE
                          WHEN count(*) > 0 THEN (
                            chr(1) || '0[[' || coalesce(
                              to_json((array_agg("t6"."order_id")) [1])::text,
                              chr(3)
                            ) || ',' || coalesce((array_agg("t6"."position")) [1]::text, chr(3)) || ']]' || chr(2)
                          )
                        END,
                        'null'
                      ) || '}}'
                    )
                  )
                FROM
                  (
                    SELECT
                      (
                        '{"id":' || coalesce(
                          to_json(
                            'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || "t4"."position"
                          )::text,
                          chr(3)
                        ) || ',"position":' || coalesce("t4"."position"::text, chr(3)) || '}'
                      ) AS "item",
                      "t4"."order_id" AS "order_id",
                      "t4"."position" AS "position"
                    FROM
                      "order_line" AS "t4"
                    WHERE
                      "t4"."order_id" IN (
                        SELECT
                          "t5"."id"
                        FROM
                          "order" AS "t5"
                        WHERE
                          "t5"."customer_id" = $4::text
                      )
                      AND "t4"."order_id" = "t2"."id"
                    ORDER BY
                      ("t4"."order_id" COLLATE "C"),
                      "t4"."position"
                    LIMIT
                      + $3::bigint
                  ) AS "t6"
              ) || '}'
            ),
            ','
            ORDER BY
              "t2"."number_"
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $5::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t7" AS "t2"
            LIMIT
              1
            OFFSET
              + $6::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t7"
                LIMIT
                  + $7::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $8::bigint
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t7"
                LIMIT
                  + $7::bigint
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t7"
                LIMIT
                  + $7::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              0
          ),
          'null'
        ) || '},"totalCount":' || (
          SELECT
            count(*)
          FROM
            "order" AS "t9"
          WHERE
            "t9"."customer_id" = $9::text
        ) || '}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t7"
        LIMIT
          + $7::bigint
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
      AND "t3"."id" = $10::text
  ) AS "r0"
