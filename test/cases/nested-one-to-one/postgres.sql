SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"room_' || "t2"."id" || '"', chr(3)),
              ',"name":',
              coalesce(to_json("t2"."name")::text, chr(3)),
              ',"guard":',
              CASE
                WHEN "t3"."room_id" IS NOT NULL THEN concat(
                  '{"id":',
                  coalesce('"guard_' || "t3"."id" || '"', chr(3)),
                  ',"name":',
                  coalesce(to_json("t3"."name")::text, chr(3)),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
            ORDER BY
              "t2"."number"
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
              coalesce('"' || "t2"."id" || '"', chr(3)),
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
              coalesce('"' || "t2"."id" || '"', chr(3)),
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
          "t4".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."name" AS "name"
            FROM
              "room" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              $6::bigint
          ) AS "t4"
      ) AS "t2"
      LEFT JOIN "guard" AS "t3" ON "t3"."room_id" = "t2"."id"
  ) AS "r0"
