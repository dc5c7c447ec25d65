SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t1"."order_id" AS "order_id",
          "t1"."position" AS "position",
          "t1"."quantity" AS "quantity",
          "t1"."product_id" AS "product_id",
          "t4"."name" AS "sort"
        FROM
          "order_line" AS "t1"
          LEFT JOIN "product" AS "t4" ON "t4"."id" = "t1"."product_id"
          AND "t4"."active" = ?
        WHERE
          "t1"."order_id" IN (
            SELECT
              "t2"."id"
            FROM
              "order" AS "t2"
            WHERE
              "t2"."customer_id" = ?
          )
          AND EXISTS (
            SELECT
              1
            FROM
              "order" AS "t3"
            WHERE
              "t3"."id" = "t1"."order_id"
              AND "t3"."customer_id" = ?
              AND "t3"."status" = ?
          )
        ORDER BY
          "t4"."name" DESC NULLS FIRST,
          "t1"."order_id",
          "t1"."position"
        LIMIT
          + ?
      )
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":',
              coalesce(
                CASE typeof(
                    (
                      'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                        WHEN typeof("t5"."position") = 'integer'
                        AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                      END
                    )
                  )
                  WHEN 'text' THEN json_quote(
                    (
                      'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                        WHEN typeof("t5"."position") = 'integer'
                        AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                      END
                    )
                  )
                END,
                char(3)
              ),
              ',"quantity":',
              coalesce(
                CASE
                  WHEN typeof("t5"."quantity") = 'integer'
                  AND "t5"."quantity" BETWEEN -2147483648 AND 2147483647 THEN "t5"."quantity"
                END,
                char(3)
              ),
              ',"product":',
              CASE
                WHEN "t6"."id" IS NOT NULL THEN concat (
                  '{"id":',
                  coalesce(
                    CASE typeof(('prd_' || "t6"."id"))
                      WHEN 'text' THEN json_quote(('prd_' || "t6"."id"))
                    END,
                    char(3)
                  ),
                  ',"name":',
                  coalesce(
                    CASE typeof("t6"."name")
                      WHEN 'text' THEN json_quote("t6"."name")
                    END,
                    char(3)
                  ),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t7" AS "t5"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  CASE typeof("t5"."sort")
                    WHEN 'text' THEN json_quote("t5"."sort")
                  END,
                  CASE
                    WHEN "t5"."sort" IS NOT NULL THEN json_array(
                      typeof("t5"."sort"),
                      CASE typeof("t5"."sort")
                        WHEN 'blob' THEN hex("t5"."sort")
                        WHEN 'real' THEN format('%!.17g', "t5"."sort")
                        ELSE CAST("t5"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t5"."order_id")
                    WHEN 'text' THEN json_quote("t5"."order_id")
                  END,
                  CASE
                    WHEN "t5"."order_id" IS NOT NULL THEN json_array(
                      typeof("t5"."order_id"),
                      CASE typeof("t5"."order_id")
                        WHEN 'blob' THEN hex("t5"."order_id")
                        WHEN 'real' THEN format('%!.17g', "t5"."order_id")
                        ELSE CAST("t5"."order_id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t5"."position") = 'integer'
                    AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                  END,
                  CASE
                    WHEN "t5"."position" IS NOT NULL THEN json_array(
                      typeof("t5"."position"),
                      CASE typeof("t5"."position")
                        WHEN 'blob' THEN hex("t5"."position")
                        WHEN 'real' THEN format('%!.17g', "t5"."position")
                        ELSE CAST("t5"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t7" AS "t5"
            LIMIT
              + ?
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  CASE typeof("t5"."sort")
                    WHEN 'text' THEN json_quote("t5"."sort")
                  END,
                  CASE
                    WHEN "t5"."sort" IS NOT NULL THEN json_array(
                      typeof("t5"."sort"),
                      CASE typeof("t5"."sort")
                        WHEN 'blob' THEN hex("t5"."sort")
                        WHEN 'real' THEN format('%!.17g', "t5"."sort")
                        ELSE CAST("t5"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t5"."order_id")
                    WHEN 'text' THEN json_quote("t5"."order_id")
                  END,
                  CASE
                    WHEN "t5"."order_id" IS NOT NULL THEN json_array(
                      typeof("t5"."order_id"),
                      CASE typeof("t5"."order_id")
                        WHEN 'blob' THEN hex("t5"."order_id")
                        WHEN 'real' THEN format('%!.17g', "t5"."order_id")
                        ELSE CAST("t5"."order_id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t5"."position") = 'integer'
                    AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                  END,
                  CASE
                    WHEN "t5"."position" IS NOT NULL THEN json_array(
                      typeof("t5"."position"),
                      CASE typeof("t5"."position")
                        WHEN 'blob' THEN hex("t5"."position")
                        WHEN 'real' THEN format('%!.17g', "t5"."position")
                        ELSE CAST("t5"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t8".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t7"
                    LIMIT
                      + ?
                  ) AS "t8"
              ) AS "t5"
            ORDER BY
              "t5"."number" DESC
            LIMIT
              1
          ),
          'null'
        ),
        ',"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  CASE typeof("t5"."sort")
                    WHEN 'text' THEN json_quote("t5"."sort")
                  END,
                  CASE
                    WHEN "t5"."sort" IS NOT NULL THEN json_array(
                      typeof("t5"."sort"),
                      CASE typeof("t5"."sort")
                        WHEN 'blob' THEN hex("t5"."sort")
                        WHEN 'real' THEN format('%!.17g', "t5"."sort")
                        ELSE CAST("t5"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t5"."order_id")
                    WHEN 'text' THEN json_quote("t5"."order_id")
                  END,
                  CASE
                    WHEN "t5"."order_id" IS NOT NULL THEN json_array(
                      typeof("t5"."order_id"),
                      CASE typeof("t5"."order_id")
                        WHEN 'blob' THEN hex("t5"."order_id")
                        WHEN 'real' THEN format('%!.17g', "t5"."order_id")
                        ELSE CAST("t5"."order_id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t5"."position") = 'integer'
                    AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                  END,
                  CASE
                    WHEN "t5"."position" IS NOT NULL THEN json_array(
                      typeof("t5"."position"),
                      CASE typeof("t5"."position")
                        WHEN 'blob' THEN hex("t5"."position")
                        WHEN 'real' THEN format('%!.17g', "t5"."position")
                        ELSE CAST("t5"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t7" AS "t5"
            LIMIT
              + ?
            OFFSET
              0
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t7"
        LIMIT
          + ?
      ) AS "t5"
      LEFT JOIN "product" AS "t6" ON "t6"."id" = "t5"."product_id"
      AND "t6"."active" = ?
  ) AS "r0"
