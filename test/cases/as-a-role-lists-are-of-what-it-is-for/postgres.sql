SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t6".*,
          row_number() OVER () AS "number_"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."status" AS "status",
              "t1"."customer_id" AS "customer_id",
              "t1"."number" AS "number"
            FROM
              "order" AS "t1"
            WHERE
              "t1"."status" = ANY ($1::text[])
              AND EXISTS (
                SELECT
                  1
                FROM
                  "customer" AS "t2"
                WHERE
                  "t2"."id" = "t1"."customer_id"
                  AND starts_with(("t2"."name" COLLATE "C"), $2::text)
              )
            ORDER BY
              ("t1"."number" COLLATE "C"),
              ("t1"."id" COLLATE "C")
            LIMIT
              + $3::bigint
          ) AS "t6"
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('ord_' || "t3"."id")::text)::text,
                chr(3)
              ) || ',"status":' || coalesce(to_json("t3"."status"::text)::text, chr(3)) || ',"customer":' || CASE
                WHEN "t4"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce(
                    to_json(('cus_' || "t4"."id")::text)::text,
                    chr(3)
                  ) || ',"name":' || coalesce(to_json("t4"."name"::text)::text, chr(3)) || ',"phone":' || coalesce(to_json("t4"."phone"::text)::text, 'null') || '}'
                )
                ELSE 'null'
              END || '}'
            ),
            ','
            ORDER BY
              "t3"."number_"
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $4::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t5" AS "t3"
            LIMIT
              1
            OFFSET
              + $5::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."number"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t5" AS "t3"
            LIMIT
              + $6::bigint
            OFFSET
              + $7::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."number"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t5"
                LIMIT
                  + $8::bigint
              ) AS "t3"
            ORDER BY
              "t3"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."number"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t5" AS "t3"
            LIMIT
              + $9::bigint
            OFFSET
              0
          ),
          'null'
        ) || '},"totalCount":' || (
          SELECT
            count(*)
          FROM
            "order" AS "t7"
          WHERE
            "t7"."status" = ANY ($10::text[])
            AND EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t8"
              WHERE
                "t8"."id" = "t7"."customer_id"
                AND starts_with(("t8"."name" COLLATE "C"), $11::text)
            )
        ) || '}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t5"
        LIMIT
          + $8::bigint
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
