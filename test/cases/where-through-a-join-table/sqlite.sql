SELECT
  (
    WITH
      "t11" AS MATERIALIZED (
        WITH
          "t12" AS MATERIALIZED (
            SELECT
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "tag" AS "t5"
                    JOIN "product_tag" AS "t6" ON "t6"."tag_id" = "t5"."name"
                  WHERE
                    "t5"."name" IN (
                      SELECT
                        "value"
                      FROM
                        json_each(?)
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
              "product" AS "t1"
            WHERE
              EXISTS (
                SELECT
                  1
                FROM
                  "tag" AS "t7"
                WHERE
                  "t7"."name" IN (
                    SELECT
                      "t8"."tag_id"
                    FROM
                      "product_tag" AS "t8"
                    WHERE
                      "t8"."product_id" = "t1"."id"
                  )
                  AND likely(
                    "t7"."name" IN (
                      SELECT
                        "value"
                      FROM
                        json_each(?)
                    )
                  )
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
                  "t12"
              )
          ) AS "t14"
        UNION ALL
        SELECT
          *
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            WHERE
              "t1"."id" IN (
                SELECT
                  "t10"."product_id"
                FROM
                  "tag" AS "t9"
                  JOIN "product_tag" AS "t10" ON "t10"."tag_id" = "t9"."name"
                WHERE
                  "t9"."name" IN (
                    SELECT
                      "value"
                    FROM
                      json_each(?)
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
                  "t12"
              )
          ) AS "t16"
      )
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":',
              coalesce(
                CASE typeof(('prd_' || "t4"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t4"."id"))
                END,
                char(3)
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t4"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t4"."id"
                FROM
                  "t11" AS "t4"
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
            "product" AS "t18"
          WHERE
            "t18"."id" IN (
              SELECT
                "t20"."product_id"
              FROM
                "tag" AS "t19"
                JOIN "product_tag" AS "t20" ON "t20"."tag_id" = "t19"."name"
              WHERE
                "t19"."name" IN (
                  SELECT
                    "value"
                  FROM
                    json_each(?)
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
                  CASE typeof("t4"."id")
                    WHEN 'text' THEN json_quote("t4"."id")
                  END,
                  CASE
                    WHEN "t4"."id" IS NOT NULL THEN json_array(
                      typeof("t4"."id"),
                      CASE typeof("t4"."id")
                        WHEN 'blob' THEN hex("t4"."id")
                        WHEN 'real' THEN format('%!.17g', "t4"."id")
                        ELSE CAST("t4"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t11" AS "t4"
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
                  CASE typeof("t4"."id")
                    WHEN 'text' THEN json_quote("t4"."id")
                  END,
                  CASE
                    WHEN "t4"."id" IS NOT NULL THEN json_array(
                      typeof("t4"."id"),
                      CASE typeof("t4"."id")
                        WHEN 'blob' THEN hex("t4"."id")
                        WHEN 'real' THEN format('%!.17g', "t4"."id")
                        ELSE CAST("t4"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t11" AS "t4"
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
                  CASE typeof("t4"."id")
                    WHEN 'text' THEN json_quote("t4"."id")
                  END,
                  CASE
                    WHEN "t4"."id" IS NOT NULL THEN json_array(
                      typeof("t4"."id"),
                      CASE typeof("t4"."id")
                        WHEN 'blob' THEN hex("t4"."id")
                        WHEN 'real' THEN format('%!.17g', "t4"."id")
                        ELSE CAST("t4"."id" AS TEXT)
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
                  "t17".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t11"
                    LIMIT
                      + ?
                  ) AS "t17"
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
      "t11" AS "t4"
  ) AS "r0"
