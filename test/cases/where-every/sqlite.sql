SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
        WHERE
          (
            EXISTS (
              SELECT
                1
              FROM
                "order_line" AS "t2"
              WHERE
                "t2"."order_id" = "t1"."id"
                AND TRUE
            )
            AND NOT EXISTS (
              SELECT
                1
              FROM
                "order_line" AS "t3"
              WHERE
                "t3"."order_id" = "t1"."id"
                AND (("t3"."gift_message" IS NOT NULL)) IS NOT TRUE
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
                CASE typeof(('ord_' || "t4"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t4"."id"))
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
            "order" AS "t7"
          WHERE
            (
              EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t8"
                WHERE
                  "t8"."order_id" = "t7"."id"
                  AND TRUE
              )
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t9"
                WHERE
                  "t9"."order_id" = "t7"."id"
                  AND (("t9"."gift_message" IS NOT NULL)) IS NOT TRUE
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
                  row_number() OVER () AS "number_"
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
              "t4"."number_" DESC
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
