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
              ',"title":',
              coalesce(to_json("t2"."title")::text, chr(3)),
              ',"subtitle":',
              coalesce(to_json("t2"."subtitle")::text, 'null'),
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
              "t1"."title" AS "title",
              "t1"."subtitle" AS "subtitle"
            FROM
              "exhibit" AS "t1"
            WHERE
              (
                starts_with(("t1"."title" COLLATE "C"), $6::text)
                OR right(("t1"."subtitle" COLLATE "C"), length($7::text)) = $8::text
              )
            ORDER BY
              "t1"."id"
            LIMIT
              $9::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
