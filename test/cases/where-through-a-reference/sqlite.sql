SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        WITH
          "t8" AS MATERIALIZED (
            SELECT
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t4"
                  WHERE
                    (
                      "t4"."quantity" > ?
                      AND "t4"."product_id" = ?
                    )
                  LIMIT
                    1
                  OFFSET
                    + ?
                )
              ) AS "many"
          )
        SELECT
          *
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t5"
                WHERE
                  "t5"."order_id" = "t1"."id"
                  AND likely("t5"."quantity" > ?)
                  AND likely("t5"."product_id" = ?)
              )
            ORDER BY
              "t1"."id"
            LIMIT
              (
                SELECT
                  CASE
                    WHEN "many" THEN + ?
                    ELSE 0
                  END
                FROM
                  "t8"
              )
          ) AS "t10"
        UNION ALL
        SELECT
          *
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              "t1"."id" IN (
                SELECT
                  "t6"."order_id"
                FROM
                  "order_line" AS "t6"
                WHERE
                  (
                    "t6"."quantity" > ?
                    AND "t6"."product_id" = ?
                  )
              )
            ORDER BY
              "t1"."id"
            LIMIT
              (
                SELECT
                  CASE
                    WHEN NOT "many" THEN + ?
                    ELSE 0
                  END
                FROM
                  "t8"
              )
          ) AS "t12"
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
                  "t7" AS "t3"
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
            "order" AS "t14"
          WHERE
            "t14"."id" IN (
              SELECT
                "t15"."order_id"
              FROM
                "order_line" AS "t15"
              WHERE
                (
                  "t15"."quantity" > ?
                  AND "t15"."product_id" = ?
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
              "t7" AS "t3"
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
              "t7" AS "t3"
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
                  "t13".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t7"
                    LIMIT
                      + ?
                  ) AS "t13"
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
      "t7" AS "t3"
  ) AS "r0"
