SELECT
  (
    SELECT
      concat (
        '{"lines":',
        (
          SELECT
            concat (
              '{"nodes":[',
              coalesce(string_agg ("t3"."item", ','), ''),
              '],"pageInfo":{"hasNextPage":',
              CASE
                WHEN count(*) = + ?
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t4"
                  WHERE
                    "t4"."order_id" = "t1"."id"
                  ORDER BY
                    "t4"."order_id",
                    "t4"."position"
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
                      coalesce(
                        CASE typeof("t5"."order_id")
                          WHEN 'text' THEN json_quote("t5"."order_id")
                        END,
                        CASE
                          WHEN "t5"."order_id" IS NOT NULL THEN json_array(
                            typeof("t5"."order_id"),
                            CASE typeof("t5"."order_id")
                              WHEN 'blob' THEN hex("t5"."order_id")
                              WHEN 'real' THEN format('%!.17g', "t5"."order_id")
                              ELSE CAST("t5"."order_id" AS TEXT)
                            END
                          )
                        END,
                        'null'
                      ),
                      ',',
                      coalesce(
                        CASE
                          WHEN typeof("t5"."position") = 'integer'
                          AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                        END,
                        CASE
                          WHEN "t5"."position" IS NOT NULL THEN json_array(
                            typeof("t5"."position"),
                            CASE typeof("t5"."position")
                              WHEN 'blob' THEN hex("t5"."position")
                              WHEN 'real' THEN format('%!.17g', "t5"."position")
                              ELSE CAST("t5"."position" AS TEXT)
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
                        "t4"."order_id" AS "order_id",
                        "t4"."position" AS "position"
                      FROM
                        "order_line" AS "t4"
                      WHERE
                        "t4"."order_id" = "t1"."id"
                      ORDER BY
                        "t4"."order_id",
                        "t4"."position"
                      LIMIT
                        + ?
                      OFFSET
                        0
                    ) AS "t5"
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
                        CASE typeof("t5"."order_id")
                          WHEN 'text' THEN json_quote("t5"."order_id")
                        END,
                        CASE
                          WHEN "t5"."order_id" IS NOT NULL THEN json_array(
                            typeof("t5"."order_id"),
                            CASE typeof("t5"."order_id")
                              WHEN 'blob' THEN hex("t5"."order_id")
                              WHEN 'real' THEN format('%!.17g', "t5"."order_id")
                              ELSE CAST("t5"."order_id" AS TEXT)
                            END
                          )
                        END,
                        'null'
                      ),
                      ',',
                      coalesce(
                        CASE
                          WHEN typeof("t5"."position") = 'integer'
                          AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                        END,
                        CASE
                          WHEN "t5"."position" IS NOT NULL THEN json_array(
                            typeof("t5"."position"),
                            CASE typeof("t5"."position")
                              WHEN 'blob' THEN hex("t5"."position")
                              WHEN 'real' THEN format('%!.17g', "t5"."position")
                              ELSE CAST("t5"."position" AS TEXT)
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
                        "t4"."order_id" AS "order_id",
                        "t4"."position" AS "position"
                      FROM
                        "order_line" AS "t4"
                      WHERE
                        "t4"."order_id" = "t1"."id"
                      ORDER BY
                        "t4"."order_id",
                        "t4"."position"
                      LIMIT
                        + ?
                      OFFSET
                        + ?
                    ) AS "t5"
                ),
                (
                  SELECT
                    concat (
                      char(1),
                      '0[[',
                      coalesce(
                        CASE typeof("t5"."order_id")
                          WHEN 'text' THEN json_quote("t5"."order_id")
                        END,
                        CASE
                          WHEN "t5"."order_id" IS NOT NULL THEN json_array(
                            typeof("t5"."order_id"),
                            CASE typeof("t5"."order_id")
                              WHEN 'blob' THEN hex("t5"."order_id")
                              WHEN 'real' THEN format('%!.17g', "t5"."order_id")
                              ELSE CAST("t5"."order_id" AS TEXT)
                            END
                          )
                        END,
                        'null'
                      ),
                      ',',
                      coalesce(
                        CASE
                          WHEN typeof("t5"."position") = 'integer'
                          AND "t5"."position" BETWEEN -2147483648 AND 2147483647 THEN "t5"."position"
                        END,
                        CASE
                          WHEN "t5"."position" IS NOT NULL THEN json_array(
                            typeof("t5"."position"),
                            CASE typeof("t5"."position")
                              WHEN 'blob' THEN hex("t5"."position")
                              WHEN 'real' THEN format('%!.17g', "t5"."position")
                              ELSE CAST("t5"."position" AS TEXT)
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
                        row_number() OVER () AS "number"
                      FROM
                        (
                          SELECT
                            "t4"."order_id" AS "order_id",
                            "t4"."position" AS "position"
                          FROM
                            "order_line" AS "t4"
                          WHERE
                            "t4"."order_id" = "t1"."id"
                          ORDER BY
                            "t4"."order_id",
                            "t4"."position"
                          LIMIT
                            + ?
                        ) AS "t6"
                    ) AS "t5"
                  ORDER BY
                    "t5"."number" DESC
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
                concat (
                  '{"id":',
                  coalesce(
                    CASE typeof(
                        (
                          'line_' || replace(replace("t2"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                            WHEN typeof("t2"."position") = 'integer'
                            AND "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                          END
                        )
                      )
                      WHEN 'text' THEN json_quote(
                        (
                          'line_' || replace(replace("t2"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                            WHEN typeof("t2"."position") = 'integer'
                            AND "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                          END
                        )
                      )
                    END,
                    char(3)
                  ),
                  ',"position":',
                  coalesce(
                    CASE
                      WHEN typeof("t2"."position") = 'integer'
                      AND "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                    END,
                    char(3)
                  ),
                  coalesce(
                    ',"lineTotal":"' || CASE typeof("t2"."line_total")
                      WHEN 'integer' THEN CASE
                        WHEN "t2"."line_total" < 0 THEN '-'
                        ELSE ''
                      END || abs("t2"."line_total" / 100) || '.' || substr(100 + abs("t2"."line_total" % 100), 2)
                    END || '"}',
                    ',"lineTotal":' || char(3) || '}'
                  )
                ) AS "item"
              FROM
                "order_line" AS "t2"
              WHERE
                "t2"."order_id" = "t1"."id"
              ORDER BY
                "t2"."order_id",
                "t2"."position"
              LIMIT
                + ?
            ) AS "t3"
        ),
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
