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
                ELSE concat('"exhibit_', "t2"."id", '"')
              END,
              ',"mood":',
              coalesce(to_json(("t2"."mood" COLLATE "C"))::text, 'null'),
              ',"height":',
              CASE
                WHEN "t2"."height" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t2"."height") < 'Infinity' THEN ("t2"."height"::float8 + 0)::text
                  END,
                  ''
                )
              END,
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $1::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $2::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat('0[[', coalesce("t2"."id"::text, ''), ']]')
          ) FILTER (
            WHERE
              "t2"."number" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat('0[[', coalesce("t2"."id"::text, ''), ']]')
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $3::bigint THEN $4::bigint
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
              "t1"."mood" AS "mood",
              "t1"."height" AS "height"
            FROM
              "exhibit" AS "t1"
            WHERE
              (
                "t1"."height" > $5::double precision
                AND TRUE
                AND ("t1"."mood" = $6::text) IS NOT TRUE
              )
            ORDER BY
              "t1"."id"
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
