SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."id" IN (
            SELECT
              "t3"."product_id"
            FROM
              "tag" AS "t2"
              JOIN "product_tag" AS "t3" ON "t3"."tag_id" = "t2"."name"
            WHERE
              "t2"."name" = ANY ($1::text[])
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
                to_json(('prd_' || "t4"."id")::text)::text,
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
            "product" AS "t7"
          WHERE
            "t7"."id" IN (
              SELECT
                "t9"."product_id"
              FROM
                "tag" AS "t8"
                JOIN "product_tag" AS "t9" ON "t9"."tag_id" = "t8"."name"
              WHERE
                "t8"."name" = ANY ($4::text[])
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
