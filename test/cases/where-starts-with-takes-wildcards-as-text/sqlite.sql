SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"exhibit_',
              "t2"."id",
              '","title":',
              json_quote("t2"."title"),
              ',"subtitle":',
              coalesce(json_quote("t2"."subtitle"), 'null'),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= ?
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(concat (char(1), '0[[', "t2"."id", ']]', char(2))) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(concat (char(1), '0[[', "t2"."id", ']]', char(2))) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > ? THEN ?
                ELSE "t2"."size"
              END
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
              "t1"."title" AS "title",
              "t1"."subtitle" AS "subtitle"
            FROM
              "exhibit" AS "t1"
            WHERE
              (
                substr("t1"."title", 1, length(?)) = ?
                OR (
                  ? = ''
                  AND "t1"."subtitle" IS NOT NULL
                  OR substr("t1"."subtitle", - length(?)) = ?
                )
              )
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
