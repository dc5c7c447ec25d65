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
                ELSE concat('"ord_', "t2"."id", '"')
              END,
              ',"total":',
              coalesce(
                CASE
                  WHEN abs("t2"."total") < 'Infinity' THEN '"' || round("t2"."total", 2) || '"'
                END,
                ''
              ),
              ',"status":',
              coalesce(to_json(("t2"."status" COLLATE "C"))::text, ''),
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
          "t1"."total" AS "total",
          "t1"."status" AS "status"
        FROM
          "order" AS "t1"
        WHERE
          TRUE
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          $1::bigint
      ) AS "t2"
  ) AS "r0"
