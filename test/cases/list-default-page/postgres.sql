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
              "tag" AS "t3"
            ORDER BY
              ("t3"."name" COLLATE "C")
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
                chr(1) || '0[[' || coalesce(to_json("t4"."name")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."name" AS "name"
                FROM
                  "tag" AS "t3"
                ORDER BY
                  ("t3"."name" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t4"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."name")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."name" AS "name"
                FROM
                  "tag" AS "t3"
                ORDER BY
                  ("t3"."name" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t4"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."name")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."name" AS "name"
                    FROM
                      "tag" AS "t3"
                    ORDER BY
                      ("t3"."name" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t5"
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
      (
        SELECT
          (
            '{"id":' || coalesce(to_json('tag_' || "t1"."name")::text, chr(3)) || ',"name":' || coalesce(to_json("t1"."name")::text, chr(3)) || ',"featured":' || coalesce("t1"."featured"::text, chr(3)) || '}'
          ) AS "item"
        FROM
          "tag" AS "t1"
        ORDER BY
          ("t1"."name" COLLATE "C")
        LIMIT
          + $7::bigint
      ) AS "t2"
  ) AS "r0"
