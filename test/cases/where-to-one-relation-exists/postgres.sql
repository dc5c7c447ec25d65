SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"cat_' || "t3"."id" || '"', chr(3)),
              ',"parentId":',
              coalesce('"cat_' || "t3"."parent_id" || '"', 'null'),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number" <= $1::bigint
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "category" AS "t5"
          WHERE
            EXISTS (
              SELECT
                1
              FROM
                "category" AS "t6"
              WHERE
                "t6"."id" = "t5"."parent_id"
                AND TRUE
            )
        ),
        ',"pageInfo":{"hasNextPage":',
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
              '0[[',
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
              "t1"."parent_id" AS "parent_id"
            FROM
              "category" AS "t1"
            WHERE
              EXISTS (
                SELECT
                  1
                FROM
                  "category" AS "t2"
                WHERE
                  "t2"."id" = "t1"."parent_id"
                  AND TRUE
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
