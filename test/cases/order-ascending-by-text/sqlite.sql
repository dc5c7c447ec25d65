SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name"
        FROM
          "category" AS "t1"
        ORDER BY
          "t1"."name",
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
                CASE typeof(('cat_' || "t2"."id"))
                  WHEN 'text' THEN json_quote(('cat_' || "t2"."id"))
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
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t2"."id"
                FROM
                  "t3" AS "t2"
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
                  CASE typeof("t2"."name")
                    WHEN 'text' THEN json_quote("t2"."name")
                  END,
                  CASE
                    WHEN "t2"."name" IS NOT NULL THEN json_array(
                      typeof("t2"."name"),
                      CASE typeof("t2"."name")
                        WHEN 'blob' THEN hex("t2"."name")
                        WHEN 'real' THEN format('%!.17g', "t2"."name")
                        ELSE CAST("t2"."name" AS TEXT)
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
              "t3" AS "t2"
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
                  CASE typeof("t2"."name")
                    WHEN 'text' THEN json_quote("t2"."name")
                  END,
                  CASE
                    WHEN "t2"."name" IS NOT NULL THEN json_array(
                      typeof("t2"."name"),
                      CASE typeof("t2"."name")
                        WHEN 'blob' THEN hex("t2"."name")
                        WHEN 'real' THEN format('%!.17g', "t2"."name")
                        ELSE CAST("t2"."name" AS TEXT)
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
              "t3" AS "t2"
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
                  CASE typeof("t2"."name")
                    WHEN 'text' THEN json_quote("t2"."name")
                  END,
                  CASE
                    WHEN "t2"."name" IS NOT NULL THEN json_array(
                      typeof("t2"."name"),
                      CASE typeof("t2"."name")
                        WHEN 'blob' THEN hex("t2"."name")
                        WHEN 'real' THEN format('%!.17g', "t2"."name")
                        ELSE CAST("t2"."name" AS TEXT)
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
                  "t4".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t3"
                    LIMIT
                      + ?
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
