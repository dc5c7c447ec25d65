SELECT
  (
    WITH
      "t10" AS MATERIALIZED (
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
              '{"id":',
              coalesce(
                CASE typeof(('ord_' || "t2"."id"))
                  WHEN 'text' THEN json_quote(('ord_' || "t2"."id"))
                END,
                char(3)
              ),
              ',"number":',
              coalesce(
                CASE typeof("t2"."number")
                  WHEN 'text' THEN json_quote("t2"."number")
                END,
                char(3)
              ),
              ',"customer":',
              CASE
                WHEN "t3"."id" IS NOT NULL THEN concat (
                  '{"id":',
                  coalesce(
                    CASE typeof(('cus_' || "t3"."id"))
                      WHEN 'text' THEN json_quote(('cus_' || "t3"."id"))
                    END,
                    char(3)
                  ),
                  ',"name":',
                  coalesce(
                    CASE typeof("t3"."name")
                      WHEN 'text' THEN json_quote("t3"."name")
                    END,
                    char(3)
                  ),
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
                          coalesce(
                            CASE typeof(
                                (
                                  'line_' || replace(replace("t8"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                    WHEN typeof("t8"."position") = 'integer'
                                    AND "t8"."position" BETWEEN -2147483648 AND 2147483647 THEN "t8"."position"
                                  END
                                )
                              )
                              WHEN 'text' THEN json_quote(
                                (
                                  'line_' || replace(replace("t8"."order_id", '%', '%25'), '~', '%7E') || '~' || CASE
                                    WHEN typeof("t8"."position") = 'integer'
                                    AND "t8"."position" BETWEEN -2147483648 AND 2147483647 THEN "t8"."position"
                                  END
                                )
                              )
                            END,
                            char(3)
                          ),
                          ',"position":',
                          coalesce(
                            CASE
                              WHEN typeof("t8"."position") = 'integer'
                              AND "t8"."position" BETWEEN -2147483648 AND 2147483647 THEN "t8"."position"
                            END,
                            char(3)
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
                          (
                            SELECT
                              "t4"."order_id" AS "order_id",
                              "t4"."position" AS "position"
                            FROM
                              "order_line" AS "t4"
                            WHERE
                              CASE
                                WHEN EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order" AS "t6"
                                  WHERE
                                    "t6"."customer_id" = ?
                                  LIMIT
                                    1
                                  OFFSET
                                    + ?
                                ) THEN EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order" AS "t7"
                                  WHERE
                                    "t7"."id" = "t4"."order_id"
                                    AND likely("t7"."customer_id" = ?)
                                )
                                ELSE "t4"."order_id" IN (
                                  SELECT
                                    "t5"."id"
                                  FROM
                                    "order" AS "t5"
                                  WHERE
                                    "t5"."customer_id" = ?
                                )
                              END
                              AND "t4"."order_id" = "t2"."id"
                            ORDER BY
                              "t4"."order_id",
                              "t4"."position"
                            LIMIT
                              + ?
                          ) AS "t8"
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
                            coalesce(
                              CASE typeof("t8"."order_id")
                                WHEN 'text' THEN json_quote("t8"."order_id")
                              END,
                              CASE
                                WHEN "t8"."order_id" IS NOT NULL THEN json_array(
                                  typeof("t8"."order_id"),
                                  CASE typeof("t8"."order_id")
                                    WHEN 'blob' THEN hex("t8"."order_id")
                                    WHEN 'real' THEN format('%!.17g', "t8"."order_id")
                                    ELSE CAST("t8"."order_id" AS TEXT)
                                  END
                                )
                              END,
                              'null'
                            ),
                            ',',
                            coalesce(
                              CASE
                                WHEN typeof("t8"."position") = 'integer'
                                AND "t8"."position" BETWEEN -2147483648 AND 2147483647 THEN "t8"."position"
                              END,
                              CASE
                                WHEN "t8"."position" IS NOT NULL THEN json_array(
                                  typeof("t8"."position"),
                                  CASE typeof("t8"."position")
                                    WHEN 'blob' THEN hex("t8"."position")
                                    WHEN 'real' THEN format('%!.17g', "t8"."position")
                                    ELSE CAST("t8"."position" AS TEXT)
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
                              CASE
                                WHEN EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order" AS "t6"
                                  WHERE
                                    "t6"."customer_id" = ?
                                  LIMIT
                                    1
                                  OFFSET
                                    + ?
                                ) THEN EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order" AS "t7"
                                  WHERE
                                    "t7"."id" = "t4"."order_id"
                                    AND likely("t7"."customer_id" = ?)
                                )
                                ELSE "t4"."order_id" IN (
                                  SELECT
                                    "t5"."id"
                                  FROM
                                    "order" AS "t5"
                                  WHERE
                                    "t5"."customer_id" = ?
                                )
                              END
                              AND "t4"."order_id" = "t2"."id"
                            ORDER BY
                              "t4"."order_id",
                              "t4"."position"
                            LIMIT
                              + ?
                          ) AS "t8"
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
                              CASE typeof("t8"."order_id")
                                WHEN 'text' THEN json_quote("t8"."order_id")
                              END,
                              CASE
                                WHEN "t8"."order_id" IS NOT NULL THEN json_array(
                                  typeof("t8"."order_id"),
                                  CASE typeof("t8"."order_id")
                                    WHEN 'blob' THEN hex("t8"."order_id")
                                    WHEN 'real' THEN format('%!.17g', "t8"."order_id")
                                    ELSE CAST("t8"."order_id" AS TEXT)
                                  END
                                )
                              END,
                              'null'
                            ),
                            ',',
                            coalesce(
                              CASE
                                WHEN typeof("t8"."position") = 'integer'
                                AND "t8"."position" BETWEEN -2147483648 AND 2147483647 THEN "t8"."position"
                              END,
                              CASE
                                WHEN "t8"."position" IS NOT NULL THEN json_array(
                                  typeof("t8"."position"),
                                  CASE typeof("t8"."position")
                                    WHEN 'blob' THEN hex("t8"."position")
                                    WHEN 'real' THEN format('%!.17g', "t8"."position")
                                    ELSE CAST("t8"."position" AS TEXT)
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
                              "t9".*,
                              row_number() OVER () AS "number"
                            FROM
                              (
                                SELECT
                                  "t4"."order_id" AS "order_id",
                                  "t4"."position" AS "position"
                                FROM
                                  "order_line" AS "t4"
                                WHERE
                                  CASE
                                    WHEN EXISTS (
                                      SELECT
                                        1
                                      FROM
                                        "order" AS "t6"
                                      WHERE
                                        "t6"."customer_id" = ?
                                      LIMIT
                                        1
                                      OFFSET
                                        + ?
                                    ) THEN EXISTS (
                                      SELECT
                                        1
                                      FROM
                                        "order" AS "t7"
                                      WHERE
                                        "t7"."id" = "t4"."order_id"
                                        AND likely("t7"."customer_id" = ?)
                                    )
                                    ELSE "t4"."order_id" IN (
                                      SELECT
                                        "t5"."id"
                                      FROM
                                        "order" AS "t5"
                                      WHERE
                                        "t5"."customer_id" = ?
                                    )
                                  END
                                  AND "t4"."order_id" = "t2"."id"
                                ORDER BY
                                  "t4"."order_id",
                                  "t4"."position"
                                LIMIT
                                  + ?
                              ) AS "t9"
                          ) AS "t8"
                        ORDER BY
                          "t8"."number" DESC
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
                            coalesce(
                              CASE typeof("t8"."order_id")
                                WHEN 'text' THEN json_quote("t8"."order_id")
                              END,
                              CASE
                                WHEN "t8"."order_id" IS NOT NULL THEN json_array(
                                  typeof("t8"."order_id"),
                                  CASE typeof("t8"."order_id")
                                    WHEN 'blob' THEN hex("t8"."order_id")
                                    WHEN 'real' THEN format('%!.17g', "t8"."order_id")
                                    ELSE CAST("t8"."order_id" AS TEXT)
                                  END
                                )
                              END,
                              'null'
                            ),
                            ',',
                            coalesce(
                              CASE
                                WHEN typeof("t8"."position") = 'integer'
                                AND "t8"."position" BETWEEN -2147483648 AND 2147483647 THEN "t8"."position"
                              END,
                              CASE
                                WHEN "t8"."position" IS NOT NULL THEN json_array(
                                  typeof("t8"."position"),
                                  CASE typeof("t8"."position")
                                    WHEN 'blob' THEN hex("t8"."position")
                                    WHEN 'real' THEN format('%!.17g', "t8"."position")
                                    ELSE CAST("t8"."position" AS TEXT)
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
                              CASE
                                WHEN EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order" AS "t6"
                                  WHERE
                                    "t6"."customer_id" = ?
                                  LIMIT
                                    1
                                  OFFSET
                                    + ?
                                ) THEN EXISTS (
                                  SELECT
                                    1
                                  FROM
                                    "order" AS "t7"
                                  WHERE
                                    "t7"."id" = "t4"."order_id"
                                    AND likely("t7"."customer_id" = ?)
                                )
                                ELSE "t4"."order_id" IN (
                                  SELECT
                                    "t5"."id"
                                  FROM
                                    "order" AS "t5"
                                  WHERE
                                    "t5"."customer_id" = ?
                                )
                              END
                              AND "t4"."order_id" = "t2"."id"
                            ORDER BY
                              "t4"."order_id",
                              "t4"."position"
                            LIMIT
                              + ?
                          ) AS "t8"
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
                      CASE
                        WHEN EXISTS (
                          SELECT
                            1
                          FROM
                            "order" AS "t6"
                          WHERE
                            "t6"."customer_id" = ?
                          LIMIT
                            1
                          OFFSET
                            + ?
                        ) THEN EXISTS (
                          SELECT
                            1
                          FROM
                            "order" AS "t7"
                          WHERE
                            "t7"."id" = "t4"."order_id"
                            AND likely("t7"."customer_id" = ?)
                        )
                        ELSE "t4"."order_id" IN (
                          SELECT
                            "t5"."id"
                          FROM
                            "order" AS "t5"
                          WHERE
                            "t5"."customer_id" = ?
                        )
                      END
                      AND "t4"."order_id" = "t2"."id"
                    ORDER BY
                      "t4"."order_id",
                      "t4"."position"
                    LIMIT
                      + ?
                  ) AS "t8"
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
              "t10" AS "t2"
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
              "t10" AS "t2"
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
                  "t11".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t10"
                    LIMIT
                      + ?
                  ) AS "t11"
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
              "t10" AS "t2"
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
            "order" AS "t12"
          WHERE
            "t12"."customer_id" = ?
        ),
        '}'
      )
    FROM
      (
        SELECT
          *
        FROM
          "t10"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "customer" AS "t3" ON "t3"."id" = "t2"."customer_id"
      AND "t3"."id" = ?
  ) AS "r0"
