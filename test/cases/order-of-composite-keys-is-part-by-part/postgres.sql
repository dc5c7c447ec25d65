SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce(
                to_json(
                  'place_' || replace(replace("t2"."hall", '%', '%25'), '~', '%7E') || '~' || "t2"."number"
                )::text,
                chr(3)
              ),
              ',"hall":',
              coalesce(to_json("t2"."hall")::text, chr(3)),
              ',"number":',
              coalesce("t2"."number"::text, chr(3)),
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
              chr(1),
              '0[[',
              coalesce(to_json("t2"."hall")::text, chr(3)),
              ',',
              coalesce("t2"."number"::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."hall")::text, chr(3)),
              ',',
              coalesce("t2"."number"::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."hall" AS "hall",
              "t1"."number" AS "number"
            FROM
              "place" AS "t1"
            ORDER BY
              ("t1"."hall" COLLATE "C"),
              "t1"."number"
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
