SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"ord_',
              "t2"."id",
              '","total":',
              CASE
                WHEN "t2"."total" >= 0 THEN '"' || ("t2"."total" / 100) || '.' || substr(100 + ("t2"."total" % 100), 2) || '"'
                ELSE '"-' || - ("t2"."total" / 100) || '.' || substr(100 - ("t2"."total" % 100), 2) || '"'
              END,
              ',"status":',
              json_quote("t2"."status"),
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
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
