SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name",
          CASE
            WHEN "t1"."id" = ? THEN "t1"."email"
          END AS "email",
          CASE
            WHEN "t1"."id" = ? THEN "t1"."newsletter"
          END AS "newsletter"
        FROM
          "customer" AS "t1"
        WHERE
          "t1"."id" IN (
            SELECT
              "t2"."customer_id"
            FROM
              "order" AS "t2"
            WHERE
              (
                "t2"."status" IN (
                  SELECT
                    "value"
                  FROM
                    json_each(?)
                )
                OR "t2"."customer_id" = ?
              )
              AND "t2"."number" IN (
                SELECT
                  "value"
                FROM
                  json_each(?)
              )
          )
        ORDER BY
          CASE
            WHEN "t1"."id" = ? THEN "t1"."email"
          END,
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
              '{"id":"cus_',
              "t3"."id",
              '","name":',
              json_quote("t3"."name"),
              ',"email":',
              coalesce(json_quote("t3"."email"), 'null'),
              ',"newsletter":',
              coalesce(
                CASE "t3"."newsletter"
                  WHEN 1 THEN 'true'
                  WHEN 0 THEN 'false'
                END,
                'null'
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t3"."id"
                FROM
                  "t4" AS "t3"
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
        ',"hasPreviousPage":false,"endCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[',
                coalesce(json_quote("t3"."email"), 'null'),
                ',[',
                json_quote("t3"."id"),
                ']]',
                char(2)
              )
            FROM
              "t4" AS "t3"
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
                coalesce(json_quote("t3"."email"), 'null'),
                ',[',
                json_quote("t3"."id"),
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
              ) AS "t3"
            ORDER BY
              "t3"."number" DESC
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
                coalesce(json_quote("t3"."email"), 'null'),
                ',[',
                json_quote("t3"."id"),
                ']]',
                char(2)
              )
            FROM
              "t4" AS "t3"
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
            "customer" AS "t6"
          WHERE
            "t6"."id" IN (
              SELECT
                "t7"."customer_id"
              FROM
                "order" AS "t7"
              WHERE
                (
                  "t7"."status" IN (
                    SELECT
                      "value"
                    FROM
                      json_each(?)
                  )
                  OR "t7"."customer_id" = ?
                )
                AND "t7"."number" IN (
                  SELECT
                    "value"
                  FROM
                    json_each(?)
                )
            )
        ),
        '}'
      )
    FROM
      "t4" AS "t3"
  ) AS "r0"
