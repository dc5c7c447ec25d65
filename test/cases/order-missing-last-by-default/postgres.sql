SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"cat_' || "t2"."id" || '"', chr(3)),
              ',"position":',
              coalesce("t2"."position"::text, chr(3)),
              ',"parentId":',
              coalesce('"cat_' || "t2"."parent_id" || '"', 'null'),
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
              '0[',
              CASE
                WHEN "t2"."parent_id" IS NULL THEN 'null'
                ELSE concat(
                  '[',
                  coalesce(to_json("t2"."parent_id")::text, chr(3)),
                  ']'
                )
              END,
              ',',
              coalesce("t2"."position"::text, chr(3)),
              ',[',
              coalesce(to_json("t2"."id")::text, chr(3)),
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
              '0[',
              CASE
                WHEN "t2"."parent_id" IS NULL THEN 'null'
                ELSE concat(
                  '[',
                  coalesce(to_json("t2"."parent_id")::text, chr(3)),
                  ']'
                )
              END,
              ',',
              coalesce("t2"."position"::text, chr(3)),
              ',[',
              coalesce(to_json("t2"."id")::text, chr(3)),
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
              "t1"."position" AS "position",
              "t1"."parent_id" AS "parent_id"
            FROM
              "category" AS "t1"
            ORDER BY
              ("t1"."parent_id" COLLATE "C") DESC NULLS LAST,
              "t1"."position",
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
