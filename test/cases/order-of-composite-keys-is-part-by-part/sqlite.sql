SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":',
              json_quote(
                'place_' || replace(replace("t2"."hall", '%', '%25'), '~', '%7E') || '~' || "t2"."number"
              ),
              ',"hall":',
              json_quote("t2"."hall"),
              ',"number":',
              "t2"."number",
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number_" <= ?
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
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t2"."hall"),
              ',',
              "t2"."number",
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t2"."hall"),
              ',',
              "t2"."number",
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
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
              "t1"."hall",
              "t1"."number"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
