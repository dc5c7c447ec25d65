SELECT
  (
    WITH
      "t6" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          (
            (
              "t1"."status" = ?
              AND (
                "t1"."id" IN (
                  SELECT
                    "t2"."order_id"
                  FROM
                    "order_line" AS "t2"
                  WHERE
                    "t2"."product_id" = (
                      SELECT
                        "t3"."id"
                      FROM
                        "product" AS "t3"
                      WHERE
                        "t3"."slug" = ?
                      LIMIT
                        1
                    )
                )
              ) IS NOT TRUE
            )
            OR "t1"."customer_id" = (
              SELECT
                "t4"."id"
              FROM
                "customer" AS "t4"
              WHERE
                "t4"."email" = ?
              LIMIT
                1
            )
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
                CASE typeof(('ord_' || "t5"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t5"."id"))
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
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "order" AS "t8"
          WHERE
            (
              (
                "t8"."status" = ?
                AND (
                  "t8"."id" IN (
                    SELECT
                      "t9"."order_id"
                    FROM
                      "order_line" AS "t9"
                    WHERE
                      "t9"."product_id" = (
                        SELECT
                          "t10"."id"
                        FROM
                          "product" AS "t10"
                        WHERE
                          "t10"."slug" = ?
                        LIMIT
                          1
                      )
                  )
                ) IS NOT TRUE
              )
              OR "t8"."customer_id" = (
                SELECT
                  "t11"."id"
                FROM
                  "customer" AS "t11"
                WHERE
                  "t11"."email" = ?
                LIMIT
                  1
              )
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
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
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
                '0[[',
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
                  row_number() OVER () AS "number_"
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
              "t5"."number_" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      "t6" AS "t5"
  ) AS "r0"
