SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."id" IN (
            SELECT
              "t3"."product_id"
            FROM
              "tag" AS "t2"
              JOIN "product_tag" AS "t3" ON "t3"."tag_id" = "t2"."name"
            WHERE
              "t2"."name" IN (
                SELECT
                  "value"
                FROM
                  json_each(?)
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
                  "t5" AS "t4"
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
            "product" AS "t7"
          WHERE
            "t7"."id" IN (
              SELECT
                "t9"."product_id"
              FROM
                "tag" AS "t8"
                JOIN "product_tag" AS "t9" ON "t9"."tag_id" = "t8"."name"
              WHERE
                "t8"."name" IN (
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
              "t5" AS "t4"
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
              "t5" AS "t4"
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
                  "t6".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t5"
                    LIMIT
                      + ?
                  ) AS "t6"
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
      "t5" AS "t4"
  ) AS "r0"
