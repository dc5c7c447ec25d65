SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t2"."id" || '"', chr(3)),
              ',"slug":',
              coalesce(to_json("t2"."slug")::text, chr(3)),
              '}'
            ),
            ','
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":true,"hasPreviousPage":true,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = "t2"."size"
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t3".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
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
              $3::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
