SELECT
  (
    SELECT
      concat (
        '{"edges":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"nodes":[',
        coalesce(string_agg ("t2"."item2", ','), ''),
        '],"more":[',
        coalesce(string_agg ("t2"."item3", ','), ''),
        ']}'
      )
    FROM
      (
        SELECT
          concat (
            '{"node":{"id":"prd_',
            "t1"."id",
            '","slug":',
            json_quote("t1"."slug"),
            '}}'
          ) AS "item",
          concat ('{"slug":', json_quote("t1"."slug"), '}') AS "item2",
          concat (
            '{"node":{"price":"',
            CASE
              WHEN "t1"."price" < 0 THEN '-'
              ELSE ''
            END,
            abs("t1"."price" / 100),
            '.',
            substr(100 + abs("t1"."price" % 100), 2),
            '"}}'
          ) AS "item3"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
