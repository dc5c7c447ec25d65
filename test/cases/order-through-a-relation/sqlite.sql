SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."number" AS "number",
          "t1"."customer_id" AS "customer_id",
          "t2"."name" AS "sort"
        FROM
          "order" AS "t1"
          LEFT JOIN "customer" AS "t2" ON "t2"."id" = "t1"."customer_id"
        ORDER BY
          "t2"."name" NULLS LAST,
          "t1"."number" DESC,
          "t1"."id"
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
                CASE typeof(('ord_' || "t3"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t3"."id"))
                END,
                char(3)
              ),
              ',"number":',
              coalesce(
                CASE typeof("t3"."number")
                  WHEN 'text' THEN json_quote("t3"."number")
                END,
                char(3)
              ),
              ',"customer":',
              CASE
                WHEN "t4"."id" IS NOT NULL THEN concat (
                  '{"id":',
                  coalesce(
                    CASE typeof(('cus_' || "t4"."id"))
                      WHEN 'text' THEN json_quote(('cus_' || "t4"."id"))
                    END,
                    char(3)
                  ),
                  ',"name":',
                  coalesce(
                    CASE typeof("t4"."name")
                      WHEN 'text' THEN json_quote("t4"."name")
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
              "t5" AS "t3"
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
                  CASE typeof("t3"."sort")
                    WHEN 'text' THEN json_quote("t3"."sort")
                  END,
                  CASE
                    WHEN "t3"."sort" IS NOT NULL THEN json_array(
                      typeof("t3"."sort"),
                      CASE typeof("t3"."sort")
                        WHEN 'blob' THEN hex("t3"."sort")
                        WHEN 'real' THEN format('%!.17g', "t3"."sort")
                        ELSE CAST("t3"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE typeof("t3"."number")
                    WHEN 'text' THEN json_quote("t3"."number")
                  END,
                  CASE
                    WHEN "t3"."number" IS NOT NULL THEN json_array(
                      typeof("t3"."number"),
                      CASE typeof("t3"."number")
                        WHEN 'blob' THEN hex("t3"."number")
                        WHEN 'real' THEN format('%!.17g', "t3"."number")
                        ELSE CAST("t3"."number" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t3"."id")
                    WHEN 'text' THEN json_quote("t3"."id")
                  END,
                  CASE
                    WHEN "t3"."id" IS NOT NULL THEN json_array(
                      typeof("t3"."id"),
                      CASE typeof("t3"."id")
                        WHEN 'blob' THEN hex("t3"."id")
                        WHEN 'real' THEN format('%!.17g', "t3"."id")
                        ELSE CAST("t3"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t5" AS "t3"
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
                  CASE typeof("t3"."sort")
                    WHEN 'text' THEN json_quote("t3"."sort")
                  END,
                  CASE
                    WHEN "t3"."sort" IS NOT NULL THEN json_array(
                      typeof("t3"."sort"),
                      CASE typeof("t3"."sort")
                        WHEN 'blob' THEN hex("t3"."sort")
                        WHEN 'real' THEN format('%!.17g', "t3"."sort")
                        ELSE CAST("t3"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE typeof("t3"."number")
                    WHEN 'text' THEN json_quote("t3"."number")
                  END,
                  CASE
                    WHEN "t3"."number" IS NOT NULL THEN json_array(
                      typeof("t3"."number"),
                      CASE typeof("t3"."number")
                        WHEN 'blob' THEN hex("t3"."number")
                        WHEN 'real' THEN format('%!.17g', "t3"."number")
                        ELSE CAST("t3"."number" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t3"."id")
                    WHEN 'text' THEN json_quote("t3"."id")
                  END,
                  CASE
                    WHEN "t3"."id" IS NOT NULL THEN json_array(
                      typeof("t3"."id"),
                      CASE typeof("t3"."id")
                        WHEN 'blob' THEN hex("t3"."id")
                        WHEN 'real' THEN format('%!.17g', "t3"."id")
                        ELSE CAST("t3"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t5" AS "t3"
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
                  CASE typeof("t3"."sort")
                    WHEN 'text' THEN json_quote("t3"."sort")
                  END,
                  CASE
                    WHEN "t3"."sort" IS NOT NULL THEN json_array(
                      typeof("t3"."sort"),
                      CASE typeof("t3"."sort")
                        WHEN 'blob' THEN hex("t3"."sort")
                        WHEN 'real' THEN format('%!.17g', "t3"."sort")
                        ELSE CAST("t3"."sort" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',',
                coalesce(
                  CASE typeof("t3"."number")
                    WHEN 'text' THEN json_quote("t3"."number")
                  END,
                  CASE
                    WHEN "t3"."number" IS NOT NULL THEN json_array(
                      typeof("t3"."number"),
                      CASE typeof("t3"."number")
                        WHEN 'blob' THEN hex("t3"."number")
                        WHEN 'real' THEN format('%!.17g', "t3"."number")
                        ELSE CAST("t3"."number" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t3"."id")
                    WHEN 'text' THEN json_quote("t3"."id")
                  END,
                  CASE
                    WHEN "t3"."id" IS NOT NULL THEN json_array(
                      typeof("t3"."id"),
                      CASE typeof("t3"."id")
                        WHEN 'blob' THEN hex("t3"."id")
                        WHEN 'real' THEN format('%!.17g', "t3"."id")
                        ELSE CAST("t3"."id" AS TEXT)
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
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + ?
                  ) AS "t6"
              ) AS "t3"
            ORDER BY
              "t3"."number_" DESC
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
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
