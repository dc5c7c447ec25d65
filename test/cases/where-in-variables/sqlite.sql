SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"prd_',
              "t3"."id",
              '","slug":',
              json_quote("t3"."slug"),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."number" <= ?
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
              '0[',
              json_quote("t3"."slug"),
              ',[',
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
              '0[',
              json_quote("t3"."slug"),
              ',[',
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
              "t1"."slug" AS "slug"
            FROM
              "product" AS "t1"
            WHERE
              (
                "t1"."price" IN (
                  SELECT
                    "value"
                  FROM
                    json_each(?)
                )
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "category" AS "t2"
                  WHERE
                    "t2"."id" = "t1"."category_id"
                    AND substr("t2"."slug", 1, length(?)) = ?
                )
              )
            ORDER BY
              "t1"."slug" DESC,
              "t1"."id"
            LIMIT
              ?
          ) AS "t4"
      ) AS "t3"
  ) AS "r0"
