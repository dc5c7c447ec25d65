SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"room_',
              "t2"."id",
              '","name":',
              json_quote("t2"."name"),
              ',"guard":',
              CASE
                WHEN "t3"."room_id" IS NOT NULL THEN concat (
                  '{"id":"guard_',
                  "t3"."id",
                  '","name":',
                  json_quote("t3"."name"),
                  '}'
                )
                ELSE 'null'
              END,
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
          max(
            concat (
              char(1),
              '0[[',
              '"' || "t2"."id" || '"',
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              '"' || "t2"."id" || '"',
              ']]',
              char(2)
            )
          ) FILTER (
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
              ?
          ) AS "t4"
      ) AS "t2"
      LEFT JOIN "guard" AS "t3" ON "t3"."room_id" = "t2"."id"
  ) AS "r0"
