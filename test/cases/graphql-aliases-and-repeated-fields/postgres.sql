SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"prd_' || "t2"."id" || '"', chr(3)) || ',"p":' || coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
                END,
                chr(3)
              ) || '}'
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
          "t1"."price" AS "price"
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
        '{"nodes":[' || coalesce(
          string_agg(
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
            ),
            ','
          ),
          ''
        ) || ']}'
      )
    FROM
      (
        SELECT
          "t4"."id" AS "id",
          "t4"."price" AS "price"
        FROM
          "product" AS "t4"
        ORDER BY
          "t4"."price" DESC,
          ("t4"."id" COLLATE "C")
        LIMIT
          + $2::bigint
      ) AS "t5"
  ) AS "r1"
