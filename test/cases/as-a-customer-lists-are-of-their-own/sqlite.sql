SELECT
  (
    WITH
      "t8" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."number" AS "number",
          "t1"."customer_id" AS "customer_id"
        FROM
          "order" AS "t1"
        WHERE
          "t1"."customer_id" = ?
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
              '{"id":"ord_',
              "t2"."id",
              '","number":',
              json_quote("t2"."number"),
              ',"customer":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat (
                  '{"id":"cus_',
                  "t3"."id",
                  '","name":',
                  json_quote("t3"."name"),
                  '}'
                )
                ELSE 'null'
              END,
              ',"lines":',
              (
                SELECT
                  concat (
                    '{"nodes":[',
                    coalesce(
                      string_agg (
                        concat (
                          '{"id":',
                          json_quote(
                            'line_' || replace(replace("t6"."order_id", '%', '%25'), '~', '%7E') || '~' || "t6"."position"
                          ),
                          ',"position":',
                          "t6"."position",
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
                          (
                            SELECT
                              "t4"."order_id" AS "order_id",
                              "t4"."position" AS "position"
                            FROM
                              "order_line" AS "t4"
                            WHERE
                              "t4"."order_id" IN (
                                SELECT
                                  "t5"."id"
                                FROM
                                  "order" AS "t5"
                                WHERE
                                  "t5"."customer_id" = ?
                              )
                              AND "t4"."order_id" = "t2"."id"
                            ORDER BY
                              "t4"."order_id",
                              "t4"."position"
                            LIMIT
                              + ?
                          ) AS "t6"
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
                            '0[[',
                            json_quote("t6"."order_id"),
                            ',',
                            "t6"."position",
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t4"."order_id" AS "order_id",
                              "t4"."position" AS "position"
                            FROM
                              "order_line" AS "t4"
                            WHERE
                              "t4"."order_id" IN (
                                SELECT
                                  "t5"."id"
                                FROM
                                  "order" AS "t5"
                                WHERE
                                  "t5"."customer_id" = ?
                              )
                              AND "t4"."order_id" = "t2"."id"
                            ORDER BY
                              "t4"."order_id",
                              "t4"."position"
                            LIMIT
                              + ?
                          ) AS "t6"
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
                            json_quote("t6"."order_id"),
                            ',',
                            "t6"."position",
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t7".*,
                              row_number() OVER () AS "number"
                            FROM
                              (
                                SELECT
                                  "t4"."order_id" AS "order_id",
                                  "t4"."position" AS "position"
                                FROM
                                  "order_line" AS "t4"
                                WHERE
                                  "t4"."order_id" IN (
                                    SELECT
                                      "t5"."id"
                                    FROM
                                      "order" AS "t5"
                                    WHERE
                                      "t5"."customer_id" = ?
                                  )
                                  AND "t4"."order_id" = "t2"."id"
                                ORDER BY
                                  "t4"."order_id",
                                  "t4"."position"
                                LIMIT
                                  + ?
                              ) AS "t7"
                          ) AS "t6"
                        ORDER BY
                          "t6"."number" DESC
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
                            '0[[',
                            json_quote("t6"."order_id"),
                            ',',
                            "t6"."position",
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t4"."order_id" AS "order_id",
                              "t4"."position" AS "position"
                            FROM
                              "order_line" AS "t4"
                            WHERE
                              "t4"."order_id" IN (
                                SELECT
                                  "t5"."id"
                                FROM
                                  "order" AS "t5"
                                WHERE
                                  "t5"."customer_id" = ?
                              )
                              AND "t4"."order_id" = "t2"."id"
                            ORDER BY
                              "t4"."order_id",
                              "t4"."position"
                            LIMIT
                              + ?
                          ) AS "t6"
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
                      "t4"."order_id" AS "order_id",
                      "t4"."position" AS "position"
                    FROM
                      "order_line" AS "t4"
                    WHERE
                      "t4"."order_id" IN (
                        SELECT
                          "t5"."id"
                        FROM
                          "order" AS "t5"
                        WHERE
                          "t5"."customer_id" = ?
                      )
                      AND "t4"."order_id" = "t2"."id"
                    ORDER BY
                      "t4"."order_id",
                      "t4"."position"
                    LIMIT
                      + ?
                  ) AS "t6"
              ),
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
              "t8" AS "t2"
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
                '1[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              "t8" AS "t2"
            LIMIT
              + ?
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '1[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t9".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t8"
                    LIMIT
                      + ?
                  ) AS "t9"
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
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
                '1[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              "t8" AS "t2"
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
            "order" AS "t10"
          WHERE
            "t10"."customer_id" = ?
        ),
        '}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t8"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
      AND "t3"."id" = ?
  ) AS "r0"
