SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":true,"hasPreviousPage":true,"startCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              coalesce(
                CASE typeof(min("t2"."key"))
                  WHEN 'text' THEN json_quote(min("t2"."key"))
                END,
                CASE
                  WHEN min("t2"."key") IS NOT NULL THEN json_array(
                    typeof(min("t2"."key")),
                    CASE typeof(min("t2"."key"))
                      WHEN 'blob' THEN hex(min("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', min("t2"."key"))
                      ELSE CAST(min("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        ',"endCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              coalesce(
                CASE typeof(max("t2"."key"))
                  WHEN 'text' THEN json_quote(max("t2"."key"))
                END,
                CASE
                  WHEN max("t2"."key") IS NOT NULL THEN json_array(
                    typeof(max("t2"."key")),
                    CASE typeof(max("t2"."key"))
                      WHEN 'blob' THEN hex(max("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', max("t2"."key"))
                      ELSE CAST(max("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
              ']]',
              char(2)
            )
          END,
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
            ',"slug":',
            coalesce(
              CASE typeof("t1"."slug")
                WHEN 'text' THEN json_quote("t1"."slug")
              END,
              char(3)
            ),
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "product" AS "t1"
        WHERE
          "t1"."id" > ?
          AND "t1"."id" < ?
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
