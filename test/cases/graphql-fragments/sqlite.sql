SELECT
  concat (
    '{"nodes":[',
    (
      SELECT
        coalesce(string_agg ("t2"."item", ','), '')
      FROM
        (
          SELECT
            concat (
              '{"id":',
              coalesce(
                CASE typeof(('ord_' || "t1"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t1"."id"))
                END,
                char(3)
              ),
              ',"number":',
              coalesce(
                CASE typeof("t1"."number")
                  WHEN 'text' THEN json_quote("t1"."number")
                END,
                char(3)
              ),
              ',"customer":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat (
                  '{"id":',
                  coalesce(
                    CASE typeof(('cus_' || "t3"."id"))
                      WHEN 'text' THEN json_quote(('cus_' || "t3"."id"))
                    END,
                    char(3)
                  ),
                  ',"name":',
                  coalesce(
                    CASE typeof("t3"."name")
                      WHEN 'text' THEN json_quote("t3"."name")
                    END,
                    char(3)
                  ),
                  ',"email":',
                  coalesce(
                    CASE typeof("t3"."email")
                      WHEN 'text' THEN json_quote("t3"."email")
                    END,
                    char(3)
                  ),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ) AS "item"
          FROM
            "order" AS "t1"
            LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t1"."customer_id"
          ORDER BY
            "t1"."id"
          LIMIT
            + ?
        ) AS "t2"
    ),
    ']}'
  ) AS "r0"
