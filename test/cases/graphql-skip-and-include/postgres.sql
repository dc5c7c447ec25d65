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
                  '{"id":' || coalesce('"ord_' || "t1"."id" || '"', chr(3)) || ',"total":' || coalesce(
                    CASE
                      WHEN abs("t1"."total") < 'Infinity' THEN '"' || round("t1"."total", 2) || '"'
                    END,
                    chr(3)
                  ) || ',"status":' || coalesce(to_json("t1"."status")::text, chr(3)) || '}'
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
