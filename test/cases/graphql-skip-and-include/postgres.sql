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
                  '{"id":' || coalesce(
                    to_json(('ord_' || "t1"."id")::text)::text,
                    chr(3)
                  ) || coalesce(
                    ',"total":"' || CASE
                      WHEN scale("t1"."total") IS NOT NULL THEN round("t1"."total", 2)
                    END || '","status":',
                    ',"total":' || chr(3) || ',"status":'
                  ) || coalesce(to_json("t1"."status"::text)::text, chr(3)) || '}'
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
