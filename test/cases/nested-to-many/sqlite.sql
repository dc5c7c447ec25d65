SELECT
  (
    WITH
      "t6" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
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
              '","lines":',
              (
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
                          (
                            SELECT
                              "t3"."order_id" AS "order_id",
                              "t3"."position" AS "position",
                              "t3"."quantity" AS "quantity"
                            FROM
                              "order_line" AS "t3"
                            WHERE
                              "t3"."order_id" = "t2"."id"
                            ORDER BY
                              "t3"."order_id",
                              "t3"."position"
                            LIMIT
                              + ?
                          ) AS "t4"
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
                            '0[[',
                            json_quote("t4"."order_id"),
                            ',',
                            "t4"."position",
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t3"."order_id" AS "order_id",
                              "t3"."position" AS "position",
                              "t3"."quantity" AS "quantity"
                            FROM
                              "order_line" AS "t3"
                            WHERE
                              "t3"."order_id" = "t2"."id"
                            ORDER BY
                              "t3"."order_id",
                              "t3"."position"
                            LIMIT
                              + ?
                          ) AS "t4"
                        LIMIT
                          1
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
                            json_quote("t4"."order_id"),
                            ',',
                            "t4"."position",
                            ']]',
                            char(2)
                          )
                        FROM
                          (
                            SELECT
                              "t3"."order_id" AS "order_id",
                              "t3"."position" AS "position",
                              "t3"."quantity" AS "quantity"
                            FROM
                              "order_line" AS "t3"
                            WHERE
                              "t3"."order_id" = "t2"."id"
                            ORDER BY
                              "t3"."order_id",
                              "t3"."position"
                            LIMIT
                              + ?
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + ?
                      ),
                      (
                        SELECT
                          concat (
                            char(1),
                            '0[[',
                            json_quote("t4"."order_id"),
                            ',',
                            "t4"."position",
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
                                  "t3"."order_id" AS "order_id",
                                  "t3"."position" AS "position",
                                  "t3"."quantity" AS "quantity"
                                FROM
                                  "order_line" AS "t3"
                                WHERE
                                  "t3"."order_id" = "t2"."id"
                                ORDER BY
                                  "t3"."order_id",
                                  "t3"."position"
                                LIMIT
                                  + ?
                              ) AS "t5"
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
                      "t3"."order_id" AS "order_id",
                      "t3"."position" AS "position",
                      "t3"."quantity" AS "quantity"
                    FROM
                      "order_line" AS "t3"
                    WHERE
                      "t3"."order_id" = "t2"."id"
                    ORDER BY
                      "t3"."order_id",
                      "t3"."position"
                    LIMIT
                      + ?
                  ) AS "t4"
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
              "t6" AS "t2"
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
                '1[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t6"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
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
                '1[[',
                json_quote("t2"."id"),
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t6"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
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
                  "t7".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t6"
                    LIMIT
                      + ?
                  ) AS "t7"
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
      (
        SELECT
          *
        FROM
          "t6"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
