SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              CASE
                WHEN "t2"."id" IS NULL THEN ''
                ELSE concat('"prd_', "t2"."id", '"')
              END,
              ',"p":',
              coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
                END,
                ''
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
        WHERE
          TRUE
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
              CASE
                WHEN "t4"."id" IS NULL THEN ''
                ELSE concat('"prd_', "t4"."id", '"')
              END,
              ',"p":',
              coalesce(
                CASE
                  WHEN abs("t4"."price") < 'Infinity' THEN '"' || round("t4"."price", 2) || '"'
                END,
                ''
              ),
              ',"again":',
              coalesce(
                CASE
                  WHEN abs("t4"."price") < 'Infinity' THEN '"' || round("t4"."price", 2) || '"'
                END,
                ''
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
        WHERE
          TRUE
        ORDER BY
          "t3"."price" DESC,
          ("t3"."id" COLLATE "C")
        LIMIT
          $2::bigint
      ) AS "t4"
  ) AS "r1"
