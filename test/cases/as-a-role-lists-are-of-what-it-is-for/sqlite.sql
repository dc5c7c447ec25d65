SELECT
  (
    WITH
      "t5" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."status" AS "status",
          "t1"."customer_id" AS "customer_id",
          "t1"."number" AS "number"
        FROM
          "order" AS "t1"
        WHERE
          "t1"."status" IN (
            SELECT
              "value"
            FROM
              json_each(?)
          )
          AND EXISTS (
            SELECT
              1
            FROM
              "customer" AS "t2"
            WHERE
              "t2"."id" = "t1"."customer_id"
              AND substr("t2"."name", 1, length(?)) = ?
          )
        ORDER BY
          "t1"."number",
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
              '{"id":"ord_',
              "t3"."id",
              '","status":',
              json_quote("t3"."status"),
              ',"customer":',
              CASE
                WHEN "t4"."id" IS NOT NULL THEN concat (
                  '{"id":"cus_',
                  "t4"."id",
                  '","name":',
                  json_quote("t4"."name"),
                  ',"phone":',
                  coalesce(json_quote("t4"."phone"), 'null'),
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
              "t5" AS "t3"
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
                json_quote("t3"."number"),
                ',[',
                json_quote("t3"."id"),
                ']]',
                char(2)
              )
            FROM
              "t5" AS "t3"
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
                json_quote("t3"."number"),
                ',[',
                json_quote("t3"."id"),
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
              ) AS "t3"
            ORDER BY
              "t3"."number_" DESC
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
                json_quote("t3"."number"),
                ',[',
                json_quote("t3"."id"),
                ']]',
                char(2)
              )
            FROM
              "t5" AS "t3"
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
            "order" AS "t7"
          WHERE
            "t7"."status" IN (
              SELECT
                "value"
              FROM
                json_each(?)
            )
            AND EXISTS (
              SELECT
                1
              FROM
                "customer" AS "t8"
              WHERE
                "t8"."id" = "t7"."customer_id"
                AND substr("t8"."name", 1, length(?)) = ?
            )
        ),
        '}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t5"
        LIMIT
          + ?
      ) AS "t3"
      LEFT JOIN "customer" AS "t4" ON "t4"."id" = "t3"."customer_id"
  ) AS "r0"
