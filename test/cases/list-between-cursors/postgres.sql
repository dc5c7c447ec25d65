SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              CASE
                WHEN "t2"."id" IS NULL THEN ''
                ELSE concat('"prd_', "t2"."id", '"')
              END,
              ',"slug":',
              coalesce(to_json(("t2"."slug" COLLATE "C"))::text, ''),
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
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
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
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
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
              TRUE
              AND ("t1"."id" COLLATE "C") > $1::text
              AND ("t1"."id" COLLATE "C") < $2::text
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $3::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
