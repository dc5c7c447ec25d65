SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."slug" AS "slug"
        FROM
          "product" AS "t1"
        WHERE
          ("t1"."id" COLLATE "C") > $1::text
          AND ("t1"."id" COLLATE "C") < $2::text
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
              '{"id":' || coalesce('"prd_' || "t2"."id" || '"', chr(3)) || ',"slug":' || coalesce(to_json("t2"."slug")::text, chr(3)) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":true,"hasPreviousPage":true,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
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
              "t3" AS "t2"
            LIMIT
              1
            OFFSET
              + $4::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t4".*,
                  row_number() OVER () AS "number"
                FROM
                  "t3" AS "t4"
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
      "t3" AS "t2"
  ) AS "r0"
