SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"prd_',
              "t2"."id",
              '","slug":',
              json_quote("t2"."slug"),
              '}'
            ),
            ','
            ORDER BY
              "t2"."number" DESC
          ) FILTER (
            WHERE
              "t2"."number" <= ?
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":true,"hasPreviousPage":',
        CASE
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"startCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > ? THEN ?
                ELSE "t2"."size"
              END
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= ?
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
              "t1"."id" < ?
            ORDER BY
              "t1"."id" DESC
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
