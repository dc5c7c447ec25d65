SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."total" AS "total",
          "t1"."status" AS "status"
        FROM
          "order" AS "t1"
        WHERE
          (
            (
              "t1"."total" >= ?
              OR (
                "t1"."status" = ?
                AND (
                  EXISTS (
                    SELECT
                      1
                    FROM
                      "order_line" AS "t2"
                    WHERE
                      "t2"."order_id" = "t1"."id"
                      AND TRUE
                  )
                ) IS NOT TRUE
              )
            )
            AND (("t1"."note" IS NULL)) IS NOT TRUE
          )
        ORDER BY
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
              coalesce(
                ',"total":"' || CASE typeof("t3"."total")
                  WHEN 'integer' THEN CASE
                    WHEN "t3"."total" < 0 THEN '-'
                    ELSE ''
                  END || abs("t3"."total" / 100) || '.' || substr(100 + abs("t3"."total" % 100), 2)
                END || '","status":',
                ',"total":' || char(3) || ',"status":'
              ),
              coalesce(
                CASE
                  WHEN "t3"."status" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN json_quote("t3"."status")
                END,
                char(3)
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t3"."id"
                FROM
                  "t4" AS "t3"
                LIMIT
                  1
                OFFSET
                  + ?
              )
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "order" AS "t6"
          WHERE
            (
              (
                "t6"."total" >= ?
                OR (
                  "t6"."status" = ?
                  AND (
                    EXISTS (
                      SELECT
                        1
                      FROM
                        "order_line" AS "t7"
                      WHERE
                        "t7"."order_id" = "t6"."id"
                        AND TRUE
                    )
                  ) IS NOT TRUE
                )
              )
              AND (("t6"."note" IS NULL)) IS NOT TRUE
            )
        ),
        ',"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > + ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
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
              "t4" AS "t3"
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
                '0[[',
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
              "t4" AS "t3"
            LIMIT
              + ?
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
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
                  "t5".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t4"
                    LIMIT
                      + ?
                  ) AS "t5"
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
      "t4" AS "t3"
  ) AS "r0"
