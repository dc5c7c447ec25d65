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
              '","placeId":',
              coalesce(
                json_quote(
                  'place_' || replace(
                    replace("t2"."place_hall", '%', '%25'),
                    '~',
                    '%7E'
                  ) || '~' || "t2"."place_number"
                ),
                'null'
              ),
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
              "t1"."place_hall" AS "place_hall",
              "t1"."place_number" AS "place_number"
            FROM
              "exhibit" AS "t1"
            WHERE
              ("t1"."place_hall", "t1"."place_number") IN (
                SELECT
                  json_extract("value", '$[0]'),
                  json_extract("value", '$[1]')
                FROM
                  json_each(?)
              )
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
