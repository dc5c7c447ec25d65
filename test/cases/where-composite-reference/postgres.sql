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
              ',"placeId":',
              CASE
                WHEN "t2"."place_hall" IS NULL
                OR "t2"."place_number" IS NULL THEN 'null'
                ELSE concat(
                  to_json(
                    concat(
                      'place_',
                      replace(
                        replace("t2"."place_hall", '%', '%25'),
                        '~',
                        '%7E'
                      ),
                      '~',
                      "t2"."place_number"
                    )
                  )::text
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
                  jsonb_array_elements($5::jsonb) AS tuple
              )
            ORDER BY
              "t1"."id"
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
