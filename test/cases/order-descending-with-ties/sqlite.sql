SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "product" AS "t3"
            ORDER BY
              "t3"."price" DESC,
              "t3"."id"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
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
                  '"' || CASE typeof("t4"."price")
                    WHEN 'integer' THEN CASE
                      WHEN "t4"."price" < 0 THEN '-'
                      ELSE ''
                    END || abs("t4"."price" / 100) || '.' || substr(100 + abs("t4"."price" % 100), 2)
                  END || '"',
                  CASE
                    WHEN "t4"."price" IS NOT NULL THEN json_array(
                      typeof("t4"."price"),
                      CASE typeof("t4"."price")
                        WHEN 'blob' THEN hex("t4"."price")
                        WHEN 'real' THEN format('%!.17g', "t4"."price")
                        ELSE CAST("t4"."price" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
                  "t3"."price" AS "price",
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                ORDER BY
                  "t3"."price" DESC,
                  "t3"."id"
                LIMIT
                  + ?
                OFFSET
                  0
              ) AS "t4"
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
                  '"' || CASE typeof("t4"."price")
                    WHEN 'integer' THEN CASE
                      WHEN "t4"."price" < 0 THEN '-'
                      ELSE ''
                    END || abs("t4"."price" / 100) || '.' || substr(100 + abs("t4"."price" % 100), 2)
                  END || '"',
                  CASE
                    WHEN "t4"."price" IS NOT NULL THEN json_array(
                      typeof("t4"."price"),
                      CASE typeof("t4"."price")
                        WHEN 'blob' THEN hex("t4"."price")
                        WHEN 'real' THEN format('%!.17g', "t4"."price")
                        ELSE CAST("t4"."price" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
                  "t3"."price" AS "price",
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                ORDER BY
                  "t3"."price" DESC,
                  "t3"."id"
                LIMIT
                  + ?
                OFFSET
                  + ?
              ) AS "t4"
          ),
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(
                  '"' || CASE typeof("t4"."price")
                    WHEN 'integer' THEN CASE
                      WHEN "t4"."price" < 0 THEN '-'
                      ELSE ''
                    END || abs("t4"."price" / 100) || '.' || substr(100 + abs("t4"."price" % 100), 2)
                  END || '"',
                  CASE
                    WHEN "t4"."price" IS NOT NULL THEN json_array(
                      typeof("t4"."price"),
                      CASE typeof("t4"."price")
                        WHEN 'blob' THEN hex("t4"."price")
                        WHEN 'real' THEN format('%!.17g', "t4"."price")
                        ELSE CAST("t4"."price" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."price" AS "price",
                      "t3"."id" AS "id"
                    FROM
                      "product" AS "t3"
                    ORDER BY
                      "t3"."price" DESC,
                      "t3"."id"
                    LIMIT
                      + ?
                  ) AS "t5"
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
      (
        SELECT
          concat (
            '{"id":',
            coalesce(
              CASE typeof(('prd_' || "t1"."id"))
                WHEN 'text' THEN json_quote(('prd_' || "t1"."id"))
              END,
              char(3)
            ),
            coalesce(
              ',"price":"' || CASE typeof("t1"."price")
                WHEN 'integer' THEN CASE
                  WHEN "t1"."price" < 0 THEN '-'
                  ELSE ''
                END || abs("t1"."price" / 100) || '.' || substr(100 + abs("t1"."price" % 100), 2)
              END || '"}',
              ',"price":' || char(3) || '}'
            )
          ) AS "item"
        FROM
          "product" AS "t1"
        ORDER BY
          "t1"."price" DESC,
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
