SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"ord_' || "t2"."id" || '"', chr(3)) || ',"total":' || coalesce(
                CASE
                  WHEN abs("t2"."total") < 'Infinity' THEN '"' || round("t2"."total", 2) || '"'
                END,
                chr(3)
              ) || ',"status":' || coalesce(to_json("t2"."status")::text, chr(3)) || '}'
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
          "t1"."total" AS "total",
          "t1"."status" AS "status"
        FROM
          "order" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
