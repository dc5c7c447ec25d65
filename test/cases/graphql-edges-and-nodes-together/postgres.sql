SELECT
  (
    SELECT
      (
        '{"edges":[' || coalesce(
          string_agg(
            (
              '{"node":{"id":' || coalesce('"prd_' || "t2"."id" || '"', chr(3)) || ',"slug":' || coalesce(to_json("t2"."slug")::text, chr(3)) || '}}'
            ),
            ','
          ),
          ''
        ) || '],"nodes":[' || coalesce(
          string_agg(
            (
              '{"slug":' || coalesce(to_json("t2"."slug")::text, chr(3)) || '}'
            ),
            ','
          ),
          ''
        ) || '],"more":[' || coalesce(
          string_agg(
            (
              '{"node":{"price":' || coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
                END,
                chr(3)
              ) || '}}'
            ),
            ','
          ),
          ''
        ) || ']}'
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
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
