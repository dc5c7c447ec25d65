SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name",
          "t1"."price" AS "price",
          "t1"."category_id" AS "category_id"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."active" = ?
          AND instr("t1"."name", ?) > 0
        ORDER BY
          "t1"."price" DESC,
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
                CASE typeof(('prd_' || "t2"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t2"."id"))
                END,
                char(3)
              ),
              ',"name":',
              coalesce(
                CASE typeof("t2"."name")
                  WHEN 'text' THEN json_quote("t2"."name")
                END,
                char(3)
              ),
              coalesce(
                ',"price":"' || CASE typeof("t2"."price")
                  WHEN 'integer' THEN CASE
                    WHEN "t2"."price" < 0 THEN '-'
                    ELSE ''
                  END || abs("t2"."price" / 100) || '.' || substr(100 + abs("t2"."price" % 100), 2)
                END || '","category":',
                ',"price":' || char(3) || ',"category":'
              ),
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat (
                  '{"id":',
                  coalesce(
                    CASE typeof(('cat_' || "t3"."id"))
                      WHEN 'text' THEN json_quote(('cat_' || "t3"."id"))
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
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t4" AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
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
                  '"' || CASE typeof("t2"."price")
                    WHEN 'integer' THEN CASE
                      WHEN "t2"."price" < 0 THEN '-'
                      ELSE ''
                    END || abs("t2"."price" / 100) || '.' || substr(100 + abs("t2"."price" % 100), 2)
                  END || '"',
                  CASE
                    WHEN "t2"."price" IS NOT NULL THEN json_array(
                      typeof("t2"."price"),
                      CASE typeof("t2"."price")
                        WHEN 'blob' THEN hex("t2"."price")
                        WHEN 'real' THEN format('%!.17g', "t2"."price")
                        ELSE CAST("t2"."price" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t4" AS "t2"
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
                  '"' || CASE typeof("t2"."price")
                    WHEN 'integer' THEN CASE
                      WHEN "t2"."price" < 0 THEN '-'
                      ELSE ''
                    END || abs("t2"."price" / 100) || '.' || substr(100 + abs("t2"."price" % 100), 2)
                  END || '"',
                  CASE
                    WHEN "t2"."price" IS NOT NULL THEN json_array(
                      typeof("t2"."price"),
                      CASE typeof("t2"."price")
                        WHEN 'blob' THEN hex("t2"."price")
                        WHEN 'real' THEN format('%!.17g', "t2"."price")
                        ELSE CAST("t2"."price" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
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
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
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
                  '"' || CASE typeof("t2"."price")
                    WHEN 'integer' THEN CASE
                      WHEN "t2"."price" < 0 THEN '-'
                      ELSE ''
                    END || abs("t2"."price" / 100) || '.' || substr(100 + abs("t2"."price" % 100), 2)
                  END || '"',
                  CASE
                    WHEN "t2"."price" IS NOT NULL THEN json_array(
                      typeof("t2"."price"),
                      CASE typeof("t2"."price")
                        WHEN 'blob' THEN hex("t2"."price")
                        WHEN 'real' THEN format('%!.17g', "t2"."price")
                        ELSE CAST("t2"."price" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
                coalesce(
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t4" AS "t2"
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
            "product" AS "t6"
          WHERE
            "t6"."active" = ?
            AND instr("t6"."name", ?) > 0
        ),
        '}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t4"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
  ) AS "r0"
