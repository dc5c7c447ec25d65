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
                ELSE concat('"cat_', "t2"."id", '"')
              END,
              ',"name":',
              coalesce(to_json(("t2"."name" COLLATE "C"))::text, ''),
              ',"parent":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat(
                  '{"id":',
                  CASE
                    WHEN "t3"."id" IS NULL THEN ''
                    ELSE concat('"cat_', "t3"."id", '"')
                  END,
                  ',"name":',
                  coalesce(to_json(("t3"."name" COLLATE "C"))::text, ''),
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
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
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
          "t4".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."name" AS "name",
              "t1"."parent_id" AS "parent_id"
            FROM
              "category" AS "t1"
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $5::bigint
          ) AS "t4"
      ) AS "t2"
      LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."parent_id"
  ) AS "r0"
