SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          EXISTS (
            SELECT
              1
            FROM
              "customer" AS "t2"
            WHERE
              "t2"."id" = "t1"."customer_id"
              AND (
                (
                  ? = ''
                  AND "t2"."email" IS NOT NULL
                  OR substr("t2"."email", - length(?)) = ?
                )
                AND "t2"."newsletter" = ?
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
            EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t7"
              WHERE
                "t7"."id" = "t6"."customer_id"
                AND (
                  (
                    ? = ''
                    AND "t7"."email" IS NOT NULL
                    OR substr("t7"."email", - length(?)) = ?
                  )
                  AND "t7"."newsletter" = ?
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
