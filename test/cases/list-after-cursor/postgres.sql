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
              "product" AS "t3"
            WHERE
              ("t3"."id" COLLATE "C") > $2::text
            ORDER BY
              ("t3"."id" COLLATE "C")
            LIMIT
              1
            OFFSET
              + $3::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":true,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                WHERE
                  ("t3"."id" COLLATE "C") > $4::text
                ORDER BY
                  ("t3"."id" COLLATE "C")
                LIMIT
                  + $5::bigint
                OFFSET
                  0
              ) AS "t4"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                WHERE
                  ("t3"."id" COLLATE "C") > $6::text
                ORDER BY
                  ("t3"."id" COLLATE "C")
                LIMIT
                  + $7::bigint
                OFFSET
                  + $8::bigint
              ) AS "t4"
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."id" AS "id"
                    FROM
                      "product" AS "t3"
                    WHERE
                      ("t3"."id" COLLATE "C") > $9::text
                    ORDER BY
                      ("t3"."id" COLLATE "C")
                    LIMIT
                      + $10::bigint
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
            '{"id":' || coalesce('"prd_' || "t1"."id" || '"', chr(3)) || ',"slug":' || coalesce(to_json("t1"."slug")::text, chr(3)) || '}'
          ) AS "item"
        FROM
          "product" AS "t1"
        WHERE
          ("t1"."id" COLLATE "C") > $11::text
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $12::bigint
      ) AS "t2"
  ) AS "r0"
