SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name",
          CASE
            WHEN "t1"."id" = ? THEN "t1"."email"
          END AS "email",
          CASE
            WHEN "t1"."id" = ? THEN "t1"."newsletter"
          END AS "newsletter"
        FROM
          "customer" AS "t1"
        WHERE
          "t1"."id" IN (
            SELECT
              "t2"."customer_id"
            FROM
              "order" AS "t2"
            WHERE
              (
                "t2"."status" IN (
                  SELECT
                    "value"
                  FROM
                    json_each(?)
                )
                OR "t2"."customer_id" = ?
              )
              AND "t2"."number" IN (
                SELECT
                  "value"
                FROM
                  json_each(?)
              )
          )
        ORDER BY
          CASE
            WHEN "t1"."id" = ? THEN "t1"."email"
          END,
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
              CASE
                WHEN "t3"."email" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE typeof("t3"."email")
                    WHEN 'text' THEN json_quote("t3"."email")
                  END,
                  char(3)
                )
              END,
              ',"newsletter":',
              CASE
                WHEN "t3"."newsletter" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE "t3"."newsletter"
                    WHEN 1 THEN 'true'
                    WHEN 0 THEN 'false'
                  END,
                  char(3)
                )
              END,
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
        ',"hasPreviousPage":false,"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  CASE typeof("t3"."email")
                    WHEN 'text' THEN json_quote("t3"."email")
                  END,
                  CASE
                    WHEN "t3"."email" IS NOT NULL THEN json_array(
                      typeof("t3"."email"),
                      CASE typeof("t3"."email")
                        WHEN 'blob' THEN hex("t3"."email")
                        WHEN 'real' THEN format('%!.17g', "t3"."email")
                        ELSE CAST("t3"."email" AS TEXT)
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
                  CASE typeof("t3"."email")
                    WHEN 'text' THEN json_quote("t3"."email")
                  END,
                  CASE
                    WHEN "t3"."email" IS NOT NULL THEN json_array(
                      typeof("t3"."email"),
                      CASE typeof("t3"."email")
                        WHEN 'blob' THEN hex("t3"."email")
                        WHEN 'real' THEN format('%!.17g', "t3"."email")
                        ELSE CAST("t3"."email" AS TEXT)
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
        ',"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  CASE typeof("t3"."email")
                    WHEN 'text' THEN json_quote("t3"."email")
                  END,
                  CASE
                    WHEN "t3"."email" IS NOT NULL THEN json_array(
                      typeof("t3"."email"),
                      CASE typeof("t3"."email")
                        WHEN 'blob' THEN hex("t3"."email")
                        WHEN 'real' THEN format('%!.17g', "t3"."email")
                        ELSE CAST("t3"."email" AS TEXT)
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
        '},"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "customer" AS "t6"
          WHERE
            "t6"."id" IN (
              SELECT
                "t7"."customer_id"
              FROM
                "order" AS "t7"
              WHERE
                (
                  "t7"."status" IN (
                    SELECT
                      "value"
                    FROM
                      json_each(?)
                  )
                  OR "t7"."customer_id" = ?
                )
                AND "t7"."number" IN (
                  SELECT
                    "value"
                  FROM
                    json_each(?)
                )
            )
        ),
        '}'
      )
    FROM
      "t4" AS "t3"
  ) AS "r0"
