SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t2"."id" || '"', chr(3)),
              ',"stock":',
              coalesce('"' || "t2"."stock" || '"', 'null'),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $1::bigint
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "product" AS "t4"
          WHERE
            "t4"."stock" > $2::bigint
        ),
        ',"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $3::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= $4::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $5::bigint THEN $6::bigint
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
              "t1"."stock" AS "stock"
            FROM
              "product" AS "t1"
            WHERE
              "t1"."stock" > $7::bigint
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $8::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
