SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"exhibit_' || "t2"."id" || '"', chr(3)),
              ',"mood":',
              coalesce(to_json("t2"."mood")::text, 'null'),
              ',"height":',
              CASE
                WHEN "t2"."height" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t2"."height") < 'Infinity' THEN ("t2"."height"::float8 + 0)::text
                  END,
                  chr(3)
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
            concat(
              chr(1),
              '0[[',
              coalesce("t2"."id"::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce("t2"."id"::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $4::bigint THEN $5::bigint
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
                "t1"."height" > $6::double precision
                AND TRUE
                AND ("t1"."mood" = $7::text) IS NOT TRUE
              )
            ORDER BY
              "t1"."id"
            LIMIT
              $8::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
