SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name",
          CASE
            WHEN "t1"."id" = $1::text THEN "t1"."email"
          END AS "email",
          CASE
            WHEN "t1"."id" = $2::text THEN "t1"."newsletter"
          END AS "newsletter"
        FROM
          "customer" AS "t1"
        WHERE
          "t1"."id" IN (
            SELECT
              "t2"."customer_id"
            FROM
              "order" AS "t2"
            WHERE
              (
                "t2"."status" = ANY ($3::text[])
                OR "t2"."customer_id" = $4::text
              )
              AND "t2"."number" = ANY ($5::text[])
          )
        ORDER BY
          (
            CASE
              WHEN "t1"."id" = $6::text THEN "t1"."email"
            END COLLATE "C"
          ) NULLS FIRST,
          ("t1"."id" COLLATE "C")
        LIMIT
          + $7::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('cus_' || "t3"."id")::text)::text,
                chr(3)
              ) || ',"name":' || coalesce(to_json("t3"."name"::text)::text, chr(3)) || ',"email":' || coalesce(to_json("t3"."email"::text)::text, 'null') || ',"newsletter":' || coalesce(
                (
                  "t3"."newsletter"
                  AND TRUE
                )::text,
                'null'
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
                  + $8::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $9::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."email"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t3"
            LIMIT
              + $10::bigint
            OFFSET
              + $11::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."email"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t4"
                    LIMIT
                      + $12::bigint
                  ) AS "t5"
              ) AS "t3"
            ORDER BY
              "t3"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."email"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t3"
            LIMIT
              + $13::bigint
            OFFSET
              0
          ),
          'null'
        ) || '},"totalCount":' || (
          SELECT
            count(*)
          FROM
            "customer" AS "t6"
          WHERE
            "t6"."id" IN (
              SELECT
                "t7"."customer_id"
              FROM
                "order" AS "t7"
              WHERE
                (
                  "t7"."status" = ANY ($14::text[])
                  OR "t7"."customer_id" = $15::text
                )
                AND "t7"."number" = ANY ($16::text[])
            )
        ) || '}'
      )
    FROM
      "t4" AS "t3"
  ) AS "r0"
