SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t3"."id" || '"', chr(3)),
              ',"slug":',
              coalesce(to_json("t3"."slug")::text, chr(3)),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number" <= $1::bigint
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
              coalesce(to_json("t3"."slug")::text, chr(3)),
              ',[',
              coalesce(to_json("t3"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t3"."number" = 1
              AND "t3"."number" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[',
              coalesce(to_json("t3"."slug")::text, chr(3)),
              ',[',
              coalesce(to_json("t3"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t3"."number" = CASE
                WHEN "t3"."size" > $4::bigint THEN $5::bigint
                ELSE "t3"."size"
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
              "t1"."slug" AS "slug"
            FROM
              "product" AS "t1"
            WHERE
              (
                "t1"."price" = ANY ($6::numeric[])
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "category" AS "t2"
                  WHERE
                    "t2"."id" = "t1"."category_id"
                    AND starts_with(("t2"."slug" COLLATE "C"), $7::text)
                )
              )
            ORDER BY
              ("t1"."slug" COLLATE "C") DESC,
              ("t1"."id" COLLATE "C")
            LIMIT
              $8::bigint
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
