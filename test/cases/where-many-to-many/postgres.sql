SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "product" AS "t1"
        WHERE
          (
            EXISTS (
              SELECT
                1
              FROM
                "tag" AS "t2"
              WHERE
                "t2"."name" IN (
                  SELECT
                    "t3"."tag_id"
                  FROM
                    "product_tag" AS "t3"
                  WHERE
                    "t3"."product_id" = "t1"."id"
                )
                AND "t2"."featured" = $1::boolean
            )
            AND NOT EXISTS (
              SELECT
                1
              FROM
                "tag" AS "t4"
              WHERE
                "t4"."name" IN (
                  SELECT
                    "t5"."tag_id"
                  FROM
                    "product_tag" AS "t5"
                  WHERE
                    "t5"."product_id" = "t1"."id"
                )
                AND "t4"."name" = $2::text
            )
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
                to_json(('prd_' || "t6"."id")::text)::text,
                chr(3)
              ) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t6"."id" IS DISTINCT FROM (
                SELECT
                  "t6"."id"
                FROM
                  "t7" AS "t6"
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
            "product" AS "t9"
          WHERE
            (
              EXISTS (
                SELECT
                  1
                FROM
                  "tag" AS "t10"
                WHERE
                  "t10"."name" IN (
                    SELECT
                      "t11"."tag_id"
                    FROM
                      "product_tag" AS "t11"
                    WHERE
                      "t11"."product_id" = "t9"."id"
                  )
                  AND "t10"."featured" = $5::boolean
              )
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  "tag" AS "t12"
                WHERE
                  "t12"."name" IN (
                    SELECT
                      "t13"."tag_id"
                    FROM
                      "product_tag" AS "t13"
                    WHERE
                      "t13"."product_id" = "t9"."id"
                  )
                  AND "t12"."name" = $6::text
              )
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $7::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t7" AS "t6"
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
                chr(1) || '0[[' || coalesce(to_json("t6"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t7" AS "t6"
            LIMIT
              + $9::bigint
            OFFSET
              + $10::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t8".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t7"
                    LIMIT
                      + $11::bigint
                  ) AS "t8"
              ) AS "t6"
            ORDER BY
              "t6"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t7" AS "t6"
  ) AS "r0"
