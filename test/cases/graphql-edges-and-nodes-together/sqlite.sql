SELECT
  (
    SELECT
      concat (
        '{"edges":[',
        coalesce(
          string_agg (
            concat (
              '{"node":{"id":"prd_',
              "t2"."id",
              '","slug":',
              json_quote("t2"."slug"),
              '}}'
            ),
            ','
          ),
          ''
        ),
        '],"nodes":[',
        coalesce(
          string_agg (
            concat ('{"slug":', json_quote("t2"."slug"), '}'),
            ','
          ),
          ''
        ),
        '],"more":[',
        coalesce(
          string_agg (
            concat (
              '{"node":{"price":',
              CASE
                WHEN "t2"."price" >= 0 THEN '"' || ("t2"."price" / 100) || '.' || substr(100 + ("t2"."price" % 100), 2) || '"'
                ELSE '"-' || - ("t2"."price" / 100) || '.' || substr(100 - ("t2"."price" % 100), 2) || '"'
              END,
              '}}'
            ),
            ','
          ),
          ''
        ),
        ']}'
      )
    FROM
      (
        SELECT
          "t1"."id" AS "id",
          "t1"."slug" AS "slug",
          "t1"."price" AS "price"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
