SELECT
  (
    WITH
      "t6" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."active" = ?
          AND EXISTS (
            SELECT
              1
            FROM
              "order_line" AS "t2"
            WHERE
              "t2"."product_id" = "t1"."id"
              AND "t2"."order_id" IN (
                SELECT
                  "t3"."id"
                FROM
                  "order" AS "t3"
                WHERE
                  "t3"."customer_id" = ?
              )
              AND EXISTS (
                SELECT
                  1
                FROM
                  "order" AS "t4"
                WHERE
                  "t4"."id" = "t2"."order_id"
                  AND "t4"."customer_id" = ?
                  AND "t4"."status" = ?
              )
          )
        ORDER BY
          "t1"."name",
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
                CASE typeof(('prd_' || "t5"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t5"."id"))
                END,
                char(3)
              ),
              ',"name":',
              coalesce(
                CASE typeof("t5"."name")
                  WHEN 'text' THEN json_quote("t5"."name")
                END,
                char(3)
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t5"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t5"."id"
                FROM
                  "t6" AS "t5"
                LIMIT
                  1
                OFFSET
                  + ?
              )
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > + ? THEN 'true'
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
                  CASE typeof("t5"."name")
                    WHEN 'text' THEN json_quote("t5"."name")
                  END,
                  CASE
                    WHEN "t5"."name" IS NOT NULL THEN json_array(
                      typeof("t5"."name"),
                      CASE typeof("t5"."name")
                        WHEN 'blob' THEN hex("t5"."name")
                        WHEN 'real' THEN format('%!.17g', "t5"."name")
                        ELSE CAST("t5"."name" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t5"."id")
                    WHEN 'text' THEN json_quote("t5"."id")
                  END,
                  CASE
                    WHEN "t5"."id" IS NOT NULL THEN json_array(
                      typeof("t5"."id"),
                      CASE typeof("t5"."id")
                        WHEN 'blob' THEN hex("t5"."id")
                        WHEN 'real' THEN format('%!.17g', "t5"."id")
                        ELSE CAST("t5"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t6" AS "t5"
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
                  CASE typeof("t5"."name")
                    WHEN 'text' THEN json_quote("t5"."name")
                  END,
                  CASE
                    WHEN "t5"."name" IS NOT NULL THEN json_array(
                      typeof("t5"."name"),
                      CASE typeof("t5"."name")
                        WHEN 'blob' THEN hex("t5"."name")
                        WHEN 'real' THEN format('%!.17g', "t5"."name")
                        ELSE CAST("t5"."name" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t5"."id")
                    WHEN 'text' THEN json_quote("t5"."id")
                  END,
                  CASE
                    WHEN "t5"."id" IS NOT NULL THEN json_array(
                      typeof("t5"."id"),
                      CASE typeof("t5"."id")
                        WHEN 'blob' THEN hex("t5"."id")
                        WHEN 'real' THEN format('%!.17g', "t5"."id")
                        ELSE CAST("t5"."id" AS TEXT)
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
                  "t7".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t6"
                    LIMIT
                      + ?
                  ) AS "t7"
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
                  CASE typeof("t5"."name")
                    WHEN 'text' THEN json_quote("t5"."name")
                  END,
                  CASE
                    WHEN "t5"."name" IS NOT NULL THEN json_array(
                      typeof("t5"."name"),
                      CASE typeof("t5"."name")
                        WHEN 'blob' THEN hex("t5"."name")
                        WHEN 'real' THEN format('%!.17g', "t5"."name")
                        ELSE CAST("t5"."name" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t5"."id")
                    WHEN 'text' THEN json_quote("t5"."id")
                  END,
                  CASE
                    WHEN "t5"."id" IS NOT NULL THEN json_array(
                      typeof("t5"."id"),
                      CASE typeof("t5"."id")
                        WHEN 'blob' THEN hex("t5"."id")
                        WHEN 'real' THEN format('%!.17g', "t5"."id")
                        ELSE CAST("t5"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t6" AS "t5"
            LIMIT
              + ?
            OFFSET
              0
          ),
          'null'
        ),
        '},"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "product" AS "t8"
          WHERE
            "t8"."active" = ?
            AND EXISTS (
              SELECT
                1
              FROM
                "order_line" AS "t9"
              WHERE
                "t9"."product_id" = "t8"."id"
                AND "t9"."order_id" IN (
                  SELECT
                    "t10"."id"
                  FROM
                    "order" AS "t10"
                  WHERE
                    "t10"."customer_id" = ?
                )
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order" AS "t11"
                  WHERE
                    "t11"."id" = "t9"."order_id"
                    AND "t11"."customer_id" = ?
                    AND "t11"."status" = ?
                )
            )
        ),
        '}'
      )
    FROM
      "t6" AS "t5"
  ) AS "r0"
