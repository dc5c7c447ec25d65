SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t4".*,
          row_number() OVER () AS "number"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."slug" AS "slug"
            FROM
              "product" AS "t1"
            ORDER BY
              "t1"."id" DESC
            LIMIT
              + ?
          ) AS "t4"
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
              ',"slug":',
              coalesce(
                CASE typeof("t2"."slug")
                  WHEN 'text' THEN json_quote("t2"."slug")
                END,
                char(3)
              ),
              '}'
            ),
            ','
            ORDER BY
              "t2"."number" DESC
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t3" AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
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
                '0[[',
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
                  *
                FROM
                  "t3"
                LIMIT
                  + ?
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
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
        '}}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t3"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
