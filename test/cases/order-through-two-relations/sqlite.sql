SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."order_id" AS "order_id",
          "t1"."position" AS "position",
          "t1"."quantity" AS "quantity",
          "t3"."name" AS "sort"
        FROM
          "order_line" AS "t1"
          LEFT JOIN "product" AS "t2" ON "t2"."id" = "t1"."product_id"
          LEFT JOIN "category" AS "t3" ON "t3"."id" = "t2"."category_id"
        ORDER BY
          "t3"."name" DESC,
          "t1"."order_id",
          "t1"."position"
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
              json_quote(
                'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || "t4"."position"
              ),
              ',"quantity":',
              "t4"."quantity",
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
              "t5" AS "t4"
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
                coalesce(json_quote("t4"."sort"), 'null'),
                ',[',
                json_quote("t4"."order_id"),
                ',',
                "t4"."position",
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
                '0[',
                coalesce(json_quote("t4"."sort"), 'null'),
                ',[',
                json_quote("t4"."order_id"),
                ',',
                "t4"."position",
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
                '0[',
                coalesce(json_quote("t4"."sort"), 'null'),
                ',[',
                json_quote("t4"."order_id"),
                ',',
                "t4"."position",
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
      (
        SELECT
          *
        FROM
          "t5"
        LIMIT
          + ?
      ) AS "t4"
  ) AS "r0"
