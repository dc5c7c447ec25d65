SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t2"."id" || '"', chr(3)),
              ',"p":',
              coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
                END,
                chr(3)
              ),
              '}'
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
          "t1"."price" AS "price"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."price",
          ("t1"."id" COLLATE "C")
        LIMIT
          $1::bigint
      ) AS "t2"
  ) AS "r0",
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t4"."id" || '"', chr(3)),
              ',"p":',
              coalesce(
                CASE
                  WHEN abs("t4"."price") < 'Infinity' THEN '"' || round("t4"."price", 2) || '"'
                END,
                chr(3)
              ),
              ',"again":',
              coalesce(
                CASE
                  WHEN abs("t4"."price") < 'Infinity' THEN '"' || round("t4"."price", 2) || '"'
                END,
                chr(3)
              ),
              '}'
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
          "t3"."id" AS "id",
          "t3"."price" AS "price"
        FROM
          "product" AS "t3"
        ORDER BY
          "t3"."price" DESC,
          ("t3"."id" COLLATE "C")
        LIMIT
          $2::bigint
      ) AS "t4"
  ) AS "r1"
