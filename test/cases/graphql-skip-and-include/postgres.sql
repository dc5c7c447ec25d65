SELECT
  (
    '{"nodes":[' || (
      SELECT
        coalesce(string_agg("t2"."item", ','), '')
      FROM
        (
          SELECT
            *
          FROM
            (
              SELECT
                (
                  coalesce(
                    '{"id":"ord_' || "t1"."id" || '","total":',
                    '{"id":' || chr(3) || ',"total":'
                  ) || coalesce(
                    '"' || CASE
                      WHEN scale("t1"."total") IS NOT NULL THEN round("t1"."total", 2)
                    END || '","status":',
                    chr(3) || ',"status":'
                  ) || coalesce(to_json("t1"."status")::text, chr(3)) || '}'
                ) AS "item"
              FROM
                "order" AS "t1"
              ORDER BY
                ("t1"."id" COLLATE "C")
              LIMIT
                11
            ) AS "t2"
          LIMIT
            + $1::bigint
        ) AS "t2"
    ) || ']}'
  ) AS "r0"
