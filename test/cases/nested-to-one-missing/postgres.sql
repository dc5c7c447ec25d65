SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $1::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "category" AS "t4"
            ORDER BY
              ("t4"."id" COLLATE "C")
            LIMIT
              1
            OFFSET
              + $2::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t5"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t4"."id" AS "id"
                FROM
                  "category" AS "t4"
                ORDER BY
                  ("t4"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t5"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t5"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t4"."id" AS "id"
                FROM
                  "category" AS "t4"
                ORDER BY
                  ("t4"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t5"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t5"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t6".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t4"."id" AS "id"
                    FROM
                      "category" AS "t4"
                    ORDER BY
                      ("t4"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t6"
              ) AS "t5"
            ORDER BY
              "t5"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          (
            '{"id":' || coalesce('"cat_' || "t1"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t1"."name")::text, chr(3)) || ',"parent":' || CASE
              WHEN "t3"."id" IS NOT NULL THEN (
                '{"id":' || coalesce('"cat_' || "t3"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t3"."name")::text, chr(3)) || '}'
              )
              ELSE 'null'
            END || '}'
          ) AS "item"
        FROM
          "category" AS "t1"
          LEFT JOIN "category" AS "t3" ON "t3"."id" = "t1"."parent_id"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $7::bigint
      ) AS "t2"
  ) AS "r0"
