SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."status" AS "status"
        FROM
          "order" AS "t1"
        WHERE
          (
            "t1"."status" IN (
              SELECT
                "value"
              FROM
                json_each(?)
            )
          ) IS NOT TRUE
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
                CASE typeof(('ord_' || "t2"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t2"."id"))
                END,
                char(3)
              ),
              ',"status":',
              coalesce(
                CASE
                  WHEN "t2"."status" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN json_quote("t2"."status")
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
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "order" AS "t5"
          WHERE
            (
              "t5"."status" IN (
                SELECT
                  "value"
                FROM
                  json_each(?)
              )
            ) IS NOT TRUE
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
                  "t4".*,
                  row_number() OVER () AS "number_"
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
              "t2"."number_" DESC
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
