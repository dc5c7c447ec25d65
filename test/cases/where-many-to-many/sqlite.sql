SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "product" AS "t1"
        WHERE
          (
            EXISTS (
              SELECT
                1
              FROM
                "tag" AS "t2"
              WHERE
                "t2"."name" IN (
                  SELECT
                    "t3"."tag_id"
                  FROM
                    "product_tag" AS "t3"
                  WHERE
                    "t3"."product_id" = "t1"."id"
                )
                AND "t2"."featured" = ?
            )
            AND NOT EXISTS (
              SELECT
                1
              FROM
                "tag" AS "t4"
              WHERE
                "t4"."name" IN (
                  SELECT
                    "t5"."tag_id"
                  FROM
                    "product_tag" AS "t5"
                  WHERE
                    "t5"."product_id" = "t1"."id"
                )
                AND "t4"."name" = ?
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
                CASE typeof(('prd_' || "t6"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t6"."id"))
                END,
                char(3)
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t6"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t6"."id"
                FROM
                  "t7" AS "t6"
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
            "product" AS "t9"
          WHERE
            (
              EXISTS (
                SELECT
                  1
                FROM
                  "tag" AS "t10"
                WHERE
                  "t10"."name" IN (
                    SELECT
                      "t11"."tag_id"
                    FROM
                      "product_tag" AS "t11"
                    WHERE
                      "t11"."product_id" = "t9"."id"
                  )
                  AND "t10"."featured" = ?
              )
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  "tag" AS "t12"
                WHERE
                  "t12"."name" IN (
                    SELECT
                      "t13"."tag_id"
                    FROM
                      "product_tag" AS "t13"
                    WHERE
                      "t13"."product_id" = "t9"."id"
                  )
                  AND "t12"."name" = ?
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
                  CASE typeof("t6"."id")
                    WHEN 'text' THEN json_quote("t6"."id")
                  END,
                  CASE
                    WHEN "t6"."id" IS NOT NULL THEN json_array(
                      typeof("t6"."id"),
                      CASE typeof("t6"."id")
                        WHEN 'blob' THEN hex("t6"."id")
                        WHEN 'real' THEN format('%!.17g', "t6"."id")
                        ELSE CAST("t6"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t7" AS "t6"
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
                  CASE typeof("t6"."id")
                    WHEN 'text' THEN json_quote("t6"."id")
                  END,
                  CASE
                    WHEN "t6"."id" IS NOT NULL THEN json_array(
                      typeof("t6"."id"),
                      CASE typeof("t6"."id")
                        WHEN 'blob' THEN hex("t6"."id")
                        WHEN 'real' THEN format('%!.17g', "t6"."id")
                        ELSE CAST("t6"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t7" AS "t6"
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
                  CASE typeof("t6"."id")
                    WHEN 'text' THEN json_quote("t6"."id")
                  END,
                  CASE
                    WHEN "t6"."id" IS NOT NULL THEN json_array(
                      typeof("t6"."id"),
                      CASE typeof("t6"."id")
                        WHEN 'blob' THEN hex("t6"."id")
                        WHEN 'real' THEN format('%!.17g', "t6"."id")
                        ELSE CAST("t6"."id" AS TEXT)
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
              ) AS "t6"
            ORDER BY
              "t6"."number" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      "t7" AS "t6"
  ) AS "r0"
