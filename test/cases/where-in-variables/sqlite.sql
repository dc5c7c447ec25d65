SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."slug" AS "slug"
        FROM
          "product" AS "t1"
        WHERE
          (
            "t1"."price" IN (
              SELECT
                "value"
              FROM
                json_each(?)
            )
            AND EXISTS (
              SELECT
                1
              FROM
                "category" AS "t2"
              WHERE
                "t2"."id" = "t1"."category_id"
                AND substr("t2"."slug", 1, length(?)) = ?
            )
          )
        ORDER BY
          "t1"."slug" DESC,
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
                CASE typeof(('prd_' || "t3"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t3"."id"))
                END,
                char(3)
              ),
              ',"slug":',
              coalesce(
                CASE typeof("t3"."slug")
                  WHEN 'text' THEN json_quote("t3"."slug")
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
        '],"pageInfo":{"hasNextPage":',
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
                '0[',
                coalesce(
                  CASE typeof("t3"."slug")
                    WHEN 'text' THEN json_quote("t3"."slug")
                  END,
                  CASE
                    WHEN "t3"."slug" IS NOT NULL THEN json_array(
                      typeof("t3"."slug"),
                      CASE typeof("t3"."slug")
                        WHEN 'blob' THEN hex("t3"."slug")
                        WHEN 'real' THEN format('%!.17g', "t3"."slug")
                        ELSE CAST("t3"."slug" AS TEXT)
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
                '0[',
                coalesce(
                  CASE typeof("t3"."slug")
                    WHEN 'text' THEN json_quote("t3"."slug")
                  END,
                  CASE
                    WHEN "t3"."slug" IS NOT NULL THEN json_array(
                      typeof("t3"."slug"),
                      CASE typeof("t3"."slug")
                        WHEN 'blob' THEN hex("t3"."slug")
                        WHEN 'real' THEN format('%!.17g', "t3"."slug")
                        ELSE CAST("t3"."slug" AS TEXT)
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
                '0[',
                coalesce(
                  CASE typeof("t3"."slug")
                    WHEN 'text' THEN json_quote("t3"."slug")
                  END,
                  CASE
                    WHEN "t3"."slug" IS NOT NULL THEN json_array(
                      typeof("t3"."slug"),
                      CASE typeof("t3"."slug")
                        WHEN 'blob' THEN hex("t3"."slug")
                        WHEN 'real' THEN format('%!.17g', "t3"."slug")
                        ELSE CAST("t3"."slug" AS TEXT)
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
                  "t5".*,
                  row_number() OVER () AS "number"
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
              "t3"."number" DESC
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
