SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"cat_',
              "t2"."id",
              '","position":',
              "t2"."position",
              ',"parentId":',
              coalesce('"cat_' || "t2"."parent_id" || '"', 'null'),
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
              '0[',
              CASE
                WHEN "t2"."parent_id" IS NULL THEN 'null'
                ELSE concat ('[', json_quote("t2"."parent_id"), ']')
              END,
              ',',
              "t2"."position",
              ',[',
              json_quote("t2"."id"),
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
              '0[',
              CASE
                WHEN "t2"."parent_id" IS NULL THEN 'null'
                ELSE concat ('[', json_quote("t2"."parent_id"), ']')
              END,
              ',',
              "t2"."position",
              ',[',
              json_quote("t2"."id"),
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
              "t1"."parent_id" DESC,
              "t1"."position",
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
