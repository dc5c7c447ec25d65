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
            ORDER BY
              "t2"."number" DESC
          ) FILTER (
            WHERE
              "t2"."number" <= $1::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":',
        CASE
          WHEN count(*) > $2::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"startCursor":',
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
              "t2"."number" = CASE
                WHEN "t2"."size" > $3::bigint THEN $4::bigint
                ELSE "t2"."size"
              END
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
              "t2"."number" = 1
              AND "t2"."number" <= $5::bigint
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
            ORDER BY
              ("t1"."id" COLLATE "C") DESC
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
