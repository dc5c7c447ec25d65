SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (concat ('{"id":"prd_', "t6"."id", '"}'), ',') FILTER (
            WHERE
              "t6"."number" <= ?
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "product" AS "t8"
          WHERE
            (
              EXISTS (
                SELECT
                  1
                FROM
                  "tag" AS "t9"
                WHERE
                  "t9"."name" IN (
                    SELECT
                      "t10"."tag_id"
                    FROM
                      "product_tag" AS "t10"
                    WHERE
                      "t10"."product_id" = "t8"."id"
                  )
                  AND "t9"."featured" = ?
              )
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  "tag" AS "t11"
                WHERE
                  "t11"."name" IN (
                    SELECT
                      "t12"."tag_id"
                    FROM
                      "product_tag" AS "t12"
                    WHERE
                      "t12"."product_id" = "t8"."id"
                  )
                  AND "t11"."name" = ?
              )
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
              json_quote("t6"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t6"."number" = 1
              AND "t6"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '0[[',
              json_quote("t6"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t6"."number" = CASE
                WHEN "t6"."size" > ? THEN ?
                ELSE "t6"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t7".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            WHERE
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "tag" AS "t2"
                  WHERE
                    "t2"."name" IN (
                      SELECT
                        "t3"."tag_id"
                      FROM
                        "product_tag" AS "t3"
                      WHERE
                        "t3"."product_id" = "t1"."id"
                    )
                    AND "t2"."featured" = ?
                )
                AND NOT EXISTS (
                  SELECT
                    1
                  FROM
                    "tag" AS "t4"
                  WHERE
                    "t4"."name" IN (
                      SELECT
                        "t5"."tag_id"
                      FROM
                        "product_tag" AS "t5"
                      WHERE
                        "t5"."product_id" = "t1"."id"
                    )
                    AND "t4"."name" = ?
                )
              )
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t7"
      ) AS "t6"
  ) AS "r0"
