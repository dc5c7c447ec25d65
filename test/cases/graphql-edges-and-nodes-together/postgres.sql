SELECT
  (
    SELECT
      (
        '{"edges":[' || coalesce(string_agg("t2"."item", ','), '') || '],"nodes":[' || coalesce(string_agg("t2"."item_", ','), '') || '],"more":[' || coalesce(string_agg("t2"."item__", ','), '') || ']}'
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              (
                '{"node":{"id":' || coalesce(
                  to_json(('prd_' || "t1"."id")::text)::text,
                  chr(3)
                ) || ',"slug":' || coalesce(to_json("t1"."slug"::text)::text, chr(3)) || '}}'
              ) AS "item",
              (
                '{"slug":' || coalesce(to_json("t1"."slug"::text)::text, chr(3)) || '}'
              ) AS "item_",
              coalesce(
                '{"node":{"price":"' || CASE
                  WHEN scale("t1"."price") IS NOT NULL THEN round("t1"."price", 2)
                END || '"}}',
                '{"node":{"price":' || chr(3) || '}}'
              ) AS "item__"
            FROM
              "product" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
