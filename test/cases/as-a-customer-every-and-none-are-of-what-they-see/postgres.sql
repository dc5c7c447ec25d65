SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t1"."name" AS "name"
        FROM
          "tag" AS "t1"
        WHERE
          NOT EXISTS (
            SELECT
              1
            FROM
              "product" AS "t2"
            WHERE
              "t2"."id" IN (
                SELECT
                  "t3"."product_id"
                FROM
                  "product_tag" AS "t3"
                WHERE
                  "t3"."tag_id" = "t1"."name"
              )
              AND "t2"."active" = $1::boolean
              AND EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t4"
                WHERE
                  "t4"."product_id" = "t2"."id"
                  AND "t4"."order_id" IN (
                    SELECT
                      "t5"."id"
                    FROM
                      "order" AS "t5"
                    WHERE
                      "t5"."customer_id" = $2::text
                  )
                  AND TRUE
              )
          )
        ORDER BY
          ("t1"."name" COLLATE "C")
        LIMIT
          + $3::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('tag_' || "t6"."name")::text)::text,
                chr(3)
              ) || ',"name":' || coalesce(to_json("t6"."name"::text)::text, chr(3)) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t6"."name" IS DISTINCT FROM (
                SELECT
                  "t6"."name"
                FROM
                  "t7" AS "t6"
                LIMIT
                  1
                OFFSET
                  + $4::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $5::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."name"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t7" AS "t6"
            LIMIT
              + $6::bigint
            OFFSET
              + $7::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."name"::text)::text, 'null') || ']]' || chr(2)
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
                      + $8::bigint
                  ) AS "t8"
              ) AS "t6"
            ORDER BY
              "t6"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || ',"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t6"."name"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t7" AS "t6"
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
            "tag" AS "t9"
          WHERE
            NOT EXISTS (
              SELECT
                1
              FROM
                "product" AS "t10"
              WHERE
                "t10"."id" IN (
                  SELECT
                    "t11"."product_id"
                  FROM
                    "product_tag" AS "t11"
                  WHERE
                    "t11"."tag_id" = "t9"."name"
                )
                AND "t10"."active" = $10::boolean
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t12"
                  WHERE
                    "t12"."product_id" = "t10"."id"
                    AND "t12"."order_id" IN (
                      SELECT
                        "t13"."id"
                      FROM
                        "order" AS "t13"
                      WHERE
                        "t13"."customer_id" = $11::text
                    )
                    AND TRUE
                )
            )
        ) || '}'
      )
    FROM
      "t7" AS "t6"
  ) AS "r0"
