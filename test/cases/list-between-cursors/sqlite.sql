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
          "t1"."id" > ?
          AND "t1"."id" < ?
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      )
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
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":true,"hasPreviousPage":true,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              1
            OFFSET
              0
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
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
        ),
        '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
