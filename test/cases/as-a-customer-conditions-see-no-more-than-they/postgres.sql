SELECT
  (
    WITH
      "t6" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."active" = $1::boolean
          AND EXISTS (
            SELECT
              1
            FROM
              "order_line" AS "t2"
            WHERE
              "t2"."product_id" = "t1"."id"
              AND "t2"."order_id" IN (
                SELECT
                  "t3"."id"
                FROM
                  "order" AS "t3"
                WHERE
                  "t3"."customer_id" = $2::text
              )
              AND EXISTS (
                SELECT
                  1
                FROM
                  "order" AS "t4"
                WHERE
                  "t4"."id" = "t2"."order_id"
                  AND "t4"."customer_id" = $3::text
                  AND "t4"."status" = $4::text
              )
          )
        ORDER BY
          ("t1"."name" COLLATE "C"),
          ("t1"."id" COLLATE "C")
        LIMIT
          + $5::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('prd_' || "t5"."id")::text)::text,
                chr(3)
              ) || ',"name":' || coalesce(to_json("t5"."name"::text)::text, chr(3)) || '}'
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
                  + $6::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $7::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t5"."name"::text)::text, 'null') || ',[' || coalesce(to_json("t5"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t6" AS "t5"
            LIMIT
              + $8::bigint
            OFFSET
              + $9::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t5"."name"::text)::text, 'null') || ',[' || coalesce(to_json("t5"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t7".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t6"
                    LIMIT
                      + $10::bigint
                  ) AS "t7"
              ) AS "t5"
            ORDER BY
              "t5"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t5"."name"::text)::text, 'null') || ',[' || coalesce(to_json("t5"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t6" AS "t5"
            LIMIT
              + $11::bigint
            OFFSET
              0
          ),
          'null'
        ) || '},"totalCount":' || (
          SELECT
            count(*)
          FROM
            "product" AS "t8"
          WHERE
            "t8"."active" = $12::boolean
            AND EXISTS (
              SELECT
                1
              FROM
                "order_line" AS "t9"
              WHERE
                "t9"."product_id" = "t8"."id"
                AND "t9"."order_id" IN (
                  SELECT
                    "t10"."id"
                  FROM
                    "order" AS "t10"
                  WHERE
                    "t10"."customer_id" = $13::text
                )
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order" AS "t11"
                  WHERE
                    "t11"."id" = "t9"."order_id"
                    AND "t11"."customer_id" = $14::text
                    AND "t11"."status" = $15::text
                )
            )
        ) || '}'
      )
    FROM
      "t6" AS "t5"
  ) AS "r0"
