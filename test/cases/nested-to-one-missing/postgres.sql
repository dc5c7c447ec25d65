SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t5".*,
          row_number() OVER () AS "number"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."name" AS "name",
              "t1"."parent_id" AS "parent_id"
            FROM
              "category" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              + $1::bigint
          ) AS "t5"
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"cat_' || "t2"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t2"."name")::text, chr(3)) || ',"parent":' || CASE
                WHEN "t3"."id" IS NOT NULL THEN (
                  '{"id":' || coalesce('"cat_' || "t3"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t3"."name")::text, chr(3)) || '}'
                )
                ELSE 'null'
              END || '}'
            ),
            ','
            ORDER BY
              "t2"."number"
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $2::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t4" AS "t2"
            LIMIT
              1
            OFFSET
              + $3::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + $4::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + $5::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + $7::bigint
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t4"
        LIMIT
          + $8::bigint
      ) AS "t2"
      LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."parent_id"
  ) AS "r0"
