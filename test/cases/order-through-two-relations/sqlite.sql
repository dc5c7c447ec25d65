SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."order_id" AS "order_id",
          "t1"."position" AS "position",
          "t1"."quantity" AS "quantity",
          "t3"."name" AS "sort"
        FROM
          "order_line" AS "t1"
          LEFT JOIN "product" AS "t2" ON "t2"."id" = "t1"."product_id"
          LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
        ORDER BY
          "t3"."name" DESC,
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
                      'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                        WHEN typeof("t4"."position") = 'integer'
                        AND "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN "t4"."position"
                      END
                    )
                  )
                  WHEN 'text' THEN json_quote(
                    (
                      'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                        WHEN typeof("t4"."position") = 'integer'
                        AND "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN "t4"."position"
                      END
                    )
                  )
                END,
                char(3)
              ),
              ',"quantity":',
              coalesce(
                CASE
                  WHEN typeof("t4"."quantity") = 'integer'
                  AND "t4"."quantity" BETWEEN -2147483648 AND 2147483647 THEN "t4"."quantity"
                END,
                char(3)
              ),
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
              "t5" AS "t4"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  CASE typeof("t4"."sort")
                    WHEN 'text' THEN json_quote("t4"."sort")
                  END,
                  CASE
                    WHEN "t4"."sort" IS NOT NULL THEN json_array(
                      typeof("t4"."sort"),
                      CASE typeof("t4"."sort")
                        WHEN 'blob' THEN hex("t4"."sort")
                        WHEN 'real' THEN format('%!.17g', "t4"."sort")
                        ELSE CAST("t4"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t4"."order_id")
                    WHEN 'text' THEN json_quote("t4"."order_id")
                  END,
                  CASE
                    WHEN "t4"."order_id" IS NOT NULL THEN json_array(
                      typeof("t4"."order_id"),
                      CASE typeof("t4"."order_id")
                        WHEN 'blob' THEN hex("t4"."order_id")
                        WHEN 'real' THEN format('%!.17g', "t4"."order_id")
                        ELSE CAST("t4"."order_id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t4"."position") = 'integer'
                    AND "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN "t4"."position"
                  END,
                  CASE
                    WHEN "t4"."position" IS NOT NULL THEN json_array(
                      typeof("t4"."position"),
                      CASE typeof("t4"."position")
                        WHEN 'blob' THEN hex("t4"."position")
                        WHEN 'real' THEN format('%!.17g', "t4"."position")
                        ELSE CAST("t4"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t5" AS "t4"
            LIMIT
              + ?
            OFFSET
              0
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  CASE typeof("t4"."sort")
                    WHEN 'text' THEN json_quote("t4"."sort")
                  END,
                  CASE
                    WHEN "t4"."sort" IS NOT NULL THEN json_array(
                      typeof("t4"."sort"),
                      CASE typeof("t4"."sort")
                        WHEN 'blob' THEN hex("t4"."sort")
                        WHEN 'real' THEN format('%!.17g', "t4"."sort")
                        ELSE CAST("t4"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t4"."order_id")
                    WHEN 'text' THEN json_quote("t4"."order_id")
                  END,
                  CASE
                    WHEN "t4"."order_id" IS NOT NULL THEN json_array(
                      typeof("t4"."order_id"),
                      CASE typeof("t4"."order_id")
                        WHEN 'blob' THEN hex("t4"."order_id")
                        WHEN 'real' THEN format('%!.17g', "t4"."order_id")
                        ELSE CAST("t4"."order_id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t4"."position") = 'integer'
                    AND "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN "t4"."position"
                  END,
                  CASE
                    WHEN "t4"."position" IS NOT NULL THEN json_array(
                      typeof("t4"."position"),
                      CASE typeof("t4"."position")
                        WHEN 'blob' THEN hex("t4"."position")
                        WHEN 'real' THEN format('%!.17g', "t4"."position")
                        ELSE CAST("t4"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t5" AS "t4"
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
                  CASE typeof("t4"."sort")
                    WHEN 'text' THEN json_quote("t4"."sort")
                  END,
                  CASE
                    WHEN "t4"."sort" IS NOT NULL THEN json_array(
                      typeof("t4"."sort"),
                      CASE typeof("t4"."sort")
                        WHEN 'blob' THEN hex("t4"."sort")
                        WHEN 'real' THEN format('%!.17g', "t4"."sort")
                        ELSE CAST("t4"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t4"."order_id")
                    WHEN 'text' THEN json_quote("t4"."order_id")
                  END,
                  CASE
                    WHEN "t4"."order_id" IS NOT NULL THEN json_array(
                      typeof("t4"."order_id"),
                      CASE typeof("t4"."order_id")
                        WHEN 'blob' THEN hex("t4"."order_id")
                        WHEN 'real' THEN format('%!.17g', "t4"."order_id")
                        ELSE CAST("t4"."order_id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t4"."position") = 'integer'
                    AND "t4"."position" BETWEEN -2147483648 AND 2147483647 THEN "t4"."position"
                  END,
                  CASE
                    WHEN "t4"."position" IS NOT NULL THEN json_array(
                      typeof("t4"."position"),
                      CASE typeof("t4"."position")
                        WHEN 'blob' THEN hex("t4"."position")
                        WHEN 'real' THEN format('%!.17g', "t4"."position")
                        ELSE CAST("t4"."position" AS TEXT)
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
                  "t6".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + ?
                  ) AS "t6"
              ) AS "t4"
            ORDER BY
              "t4"."number" DESC
            LIMIT
              1
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
          "t5"
        LIMIT
          + ?
      ) AS "t4"
  ) AS "r0"
