SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"cat_',
              "t3"."id",
              '","parentId":',
              coalesce('"cat_' || "t3"."parent_id" || '"', 'null'),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number" <= ?
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
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t3"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t3"."number" = 1
              AND "t3"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t3"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t3"."number" = CASE
                WHEN "t3"."size" > ? THEN ?
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
              "t1"."id"
            LIMIT
              ?
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
