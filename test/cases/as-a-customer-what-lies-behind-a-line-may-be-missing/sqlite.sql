SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t1"."order_id" AS "order_id",
          "t1"."position" AS "position",
          "t1"."quantity" AS "quantity",
          "t1"."product_id" AS "product_id",
          "t4"."name" AS "sort"
        FROM
          "order_line" AS "t1"
          LEFT JOIN "product" AS "t4" ON "t4"."id" = "t1"."product_id"
          AND "t4"."active" = ?
        WHERE
          "t1"."order_id" IN (
            SELECT
              "t2"."id"
            FROM
              "order" AS "t2"
            WHERE
              "t2"."customer_id" = ?
          )
          AND EXISTS (
            SELECT
              1
            FROM
              "order" AS "t3"
            WHERE
              "t3"."id" = "t1"."order_id"
              AND "t3"."customer_id" = ?
              AND "t3"."status" = ?
          )
        ORDER BY
          "t4"."name" DESC NULLS FIRST,
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
                'line_' || replace(replace("t5"."order_id", '%', '%25'), '~', '%7E') || '~' || "t5"."position"
              ),
              ',"quantity":',
              "t5"."quantity",
              ',"product":',
              CASE
                WHEN "t6"."id" IS NOT NULL THEN concat (
                  '{"id":"prd_',
                  "t6"."id",
                  '","name":',
                  json_quote("t6"."name"),
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
              "t7" AS "t5"
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
                coalesce(json_quote("t5"."sort"), 'null'),
                ',[',
                json_quote("t5"."order_id"),
                ',',
                "t5"."position",
                ']]',
                char(2)
              )
            FROM
              "t7" AS "t5"
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
                coalesce(json_quote("t5"."sort"), 'null'),
                ',[',
                json_quote("t5"."order_id"),
                ',',
                "t5"."position",
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
              ) AS "t5"
            ORDER BY
              "t5"."number" DESC
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
                coalesce(json_quote("t5"."sort"), 'null'),
                ',[',
                json_quote("t5"."order_id"),
                ',',
                "t5"."position",
                ']]',
                char(2)
              )
            FROM
              "t7" AS "t5"
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
          "t7"
        LIMIT
          + ?
      ) AS "t5"
      LEFT JOIN "product" AS "t6" ON "t6"."id" = "t5"."product_id"
      AND "t6"."active" = ?
  ) AS "r0"
