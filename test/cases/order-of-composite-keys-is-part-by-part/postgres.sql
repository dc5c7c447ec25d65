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
                WHEN "t2"."hall" IS NULL
                OR "t2"."number" IS NULL THEN ''
                ELSE concat(
                  to_json(
                    concat(
                      'place_',
                      replace(replace("t2"."hall", '%', '%25'), '~', '%7E'),
                      '~',
                      "t2"."number"
                    )
                  )::text
                )
              END,
              ',"hall":',
              coalesce(to_json(("t2"."hall" COLLATE "C"))::text, ''),
              ',"number":',
              coalesce("t2"."number"::text, ''),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number_" <= $1::bigint
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
              '0[[',
              coalesce(to_json(("t2"."hall" COLLATE "C"))::text, ''),
              ',',
              coalesce("t2"."number"::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[[',
              coalesce(to_json(("t2"."hall" COLLATE "C"))::text, ''),
              ',',
              coalesce("t2"."number"::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."hall" AS "hall",
              "t1"."number" AS "number"
            FROM
              "place" AS "t1"
            WHERE
              TRUE
            ORDER BY
              ("t1"."hall" COLLATE "C"),
              "t1"."number"
            LIMIT
              $5::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
