SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || ']}'
      )
    FROM
      (
        SELECT
          (
            '{"id":' || coalesce('"prd_' || "t1"."id" || '"', chr(3)) || ',"p":' || coalesce(
              CASE
                WHEN abs("t1"."price") < 'Infinity' THEN '"' || round("t1"."price", 2) || '"'
              END,
              chr(3)
            ) || '}'
          ) AS "item"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."price",
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0",
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t6"."item", ','), '') || ']}'
      )
    FROM
      (
        SELECT
          (
            '{"id":' || coalesce('"prd_' || "t5"."id" || '"', chr(3)) || ',"p":' || coalesce(
              CASE
                WHEN abs("t5"."price") < 'Infinity' THEN '"' || round("t5"."price", 2) || '"'
              END,
              chr(3)
            ) || ',"again":' || coalesce(
              CASE
                WHEN abs("t5"."price") < 'Infinity' THEN '"' || round("t5"."price", 2) || '"'
              END,
              chr(3)
            ) || '}'
          ) AS "item"
        FROM
          "product" AS "t5"
        ORDER BY
          "t5"."price" DESC,
          ("t5"."id" COLLATE "C")
        LIMIT
          + $2::bigint
      ) AS "t6"
  ) AS "r1"
