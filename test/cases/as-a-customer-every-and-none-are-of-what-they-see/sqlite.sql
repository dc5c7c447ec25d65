SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t1"."name" AS "name"
        FROM
          "tag" AS "t1"
        WHERE
          NOT EXISTS (
            SELECT
              1
            FROM
              "product" AS "t2"
            WHERE
              "t2"."id" IN (
                SELECT
                  "t3"."product_id"
                FROM
                  "product_tag" AS "t3"
                WHERE
                  "t3"."tag_id" = "t1"."name"
              )
              AND "t2"."active" = ?
              AND EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t4"
                WHERE
                  "t4"."product_id" = "t2"."id"
                  AND "t4"."order_id" IN (
                    SELECT
                      "t5"."id"
                    FROM
                      "order" AS "t5"
                    WHERE
                      "t5"."customer_id" = ?
                  )
                  AND TRUE
              )
          )
        ORDER BY
          "t1"."name"
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
                CASE typeof(('tag_' || "t6"."name"))
                  WHEN 'text' THEN json_quote(('tag_' || "t6"."name"))
                END,
                char(3)
              ),
              ',"name":',
              coalesce(
                CASE typeof("t6"."name")
                  WHEN 'text' THEN json_quote("t6"."name")
                END,
                char(3)
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t6"."name" IS DISTINCT
            FROM
              (
                SELECT
                  "t6"."name"
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
                '0[[',
                coalesce(
                  CASE typeof("t6"."name")
                    WHEN 'text' THEN json_quote("t6"."name")
                  END,
                  CASE
                    WHEN "t6"."name" IS NOT NULL THEN json_array(
                      typeof("t6"."name"),
                      CASE typeof("t6"."name")
                        WHEN 'blob' THEN hex("t6"."name")
                        WHEN 'real' THEN format('%!.17g', "t6"."name")
                        ELSE CAST("t6"."name" AS TEXT)
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
                  CASE typeof("t6"."name")
                    WHEN 'text' THEN json_quote("t6"."name")
                  END,
                  CASE
                    WHEN "t6"."name" IS NOT NULL THEN json_array(
                      typeof("t6"."name"),
                      CASE typeof("t6"."name")
                        WHEN 'blob' THEN hex("t6"."name")
                        WHEN 'real' THEN format('%!.17g', "t6"."name")
                        ELSE CAST("t6"."name" AS TEXT)
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
        ',"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                coalesce(
                  CASE typeof("t6"."name")
                    WHEN 'text' THEN json_quote("t6"."name")
                  END,
                  CASE
                    WHEN "t6"."name" IS NOT NULL THEN json_array(
                      typeof("t6"."name"),
                      CASE typeof("t6"."name")
                        WHEN 'blob' THEN hex("t6"."name")
                        WHEN 'real' THEN format('%!.17g', "t6"."name")
                        ELSE CAST("t6"."name" AS TEXT)
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
        '},"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "tag" AS "t9"
          WHERE
            NOT EXISTS (
              SELECT
                1
              FROM
                "product" AS "t10"
              WHERE
                "t10"."id" IN (
                  SELECT
                    "t11"."product_id"
                  FROM
                    "product_tag" AS "t11"
                  WHERE
                    "t11"."tag_id" = "t9"."name"
                )
                AND "t10"."active" = ?
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t12"
                  WHERE
                    "t12"."product_id" = "t10"."id"
                    AND "t12"."order_id" IN (
                      SELECT
                        "t13"."id"
                      FROM
                        "order" AS "t13"
                      WHERE
                        "t13"."customer_id" = ?
                    )
                    AND TRUE
                )
            )
        ),
        '}'
      )
    FROM
      "t7" AS "t6"
  ) AS "r0"
