SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."total" AS "total",
          "t1"."status" AS "status"
        FROM
          "order" AS "t1"
        WHERE
          (
            (
              "t1"."total" >= $1::numeric
              OR (
                "t1"."status" = $2::text
                AND (
                  EXISTS (
                    SELECT
                      1
                    FROM
                      "order_line" AS "t2"
                    WHERE
                      "t2"."order_id" = "t1"."id"
                      AND TRUE
                  )
                ) IS NOT TRUE
              )
            )
            AND (("t1"."note" IS NULL)) IS NOT TRUE
          )
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $3::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('ord_' || "t3"."id")::text)::text,
                chr(3)
              ) || coalesce(
                ',"total":"' || CASE
                  WHEN scale("t3"."total") IS NOT NULL THEN round("t3"."total", 2)
                END || '","status":',
                ',"total":' || chr(3) || ',"status":'
              ) || coalesce(to_json("t3"."status"::text)::text, chr(3)) || '}'
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
                  + $4::bigint
              )
          ),
          ''
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "order" AS "t6"
          WHERE
            (
              (
                "t6"."total" >= $5::numeric
                OR (
                  "t6"."status" = $6::text
                  AND (
                    EXISTS (
                      SELECT
                        1
                      FROM
                        "order_line" AS "t7"
                      WHERE
                        "t7"."order_id" = "t6"."id"
                        AND TRUE
                    )
                  ) IS NOT TRUE
                )
              )
              AND (("t6"."note" IS NULL)) IS NOT TRUE
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $7::bigint THEN 'true'
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
              + $8::bigint
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
              + $9::bigint
            OFFSET
              + $10::bigint
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
                      + $11::bigint
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
