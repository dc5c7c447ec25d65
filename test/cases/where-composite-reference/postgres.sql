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
              ',"placeId":',
              coalesce(
                to_json(
                  'place_' || replace(
                    replace("t2"."place_hall", '%', '%25'),
                    '~',
                    '%7E'
                  ) || '~' || "t2"."place_number"
                )::text,
                'null'
              ),
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
              "t1"."place_hall" AS "place_hall",
              "t1"."place_number" AS "place_number"
            FROM
              "exhibit" AS "t1"
            WHERE
              ("t1"."place_hall", "t1"."place_number") IN (
                SELECT
                  (tuple ->> 0)::text,
                  (tuple ->> 1)::integer
                FROM
                  jsonb_array_elements($6::jsonb) AS tuple
              )
            ORDER BY
              "t1"."id"
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
