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
                    to_json(('prd_' || "t1"."id")::text)::text,
                    chr(3)
                  ) || coalesce(
                    ',"p":"' || CASE
                      WHEN scale("t1"."price") IS NOT NULL THEN round("t1"."price", 2)
                    END || '"}',
                    ',"p":' || chr(3) || '}'
                  )
                ) AS "item"
              FROM
                "product" AS "t1"
              ORDER BY
                "t1"."price",
                ("t1"."id" COLLATE "C")
              LIMIT
                11
            ) AS "t2"
          LIMIT
            + $1::bigint
        ) AS "t2"
    ) || ']}'
  ) AS "r0",
  (
    '{"nodes":[' || (
      SELECT
        coalesce(string_agg("t4"."item", ','), '')
      FROM
        (
          SELECT
            *
          FROM
            (
              SELECT
                (
                  '{"id":' || coalesce(
                    to_json(('prd_' || "t3"."id")::text)::text,
                    chr(3)
                  ) || coalesce(
                    ',"p":"' || CASE
                      WHEN scale("t3"."price") IS NOT NULL THEN round("t3"."price", 2)
                    END || '","again":',
                    ',"p":' || chr(3) || ',"again":'
                  ) || coalesce(
                    '"' || CASE
                      WHEN scale("t3"."price") IS NOT NULL THEN round("t3"."price", 2)
                    END || '"}',
                    chr(3) || '}'
                  )
                ) AS "item"
              FROM
                "product" AS "t3"
              ORDER BY
                "t3"."price" DESC,
                ("t3"."id" COLLATE "C")
              LIMIT
                11
            ) AS "t4"
          LIMIT
            + $2::bigint
        ) AS "t4"
    ) || ']}'
  ) AS "r1"
