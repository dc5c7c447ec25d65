SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND CASE
            WHEN + ? > 0 THEN EXISTS (
              SELECT
                1
              FROM
                "order" AS "t10"
              WHERE
                "t10"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t10"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "order" AS "t8"
              ORDER BY
                "t8"."id"
              LIMIT
                1
              OFFSET
                + ?
            )
          END THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '1[[',
              json_quote(min("t2"."key")),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        ',"endCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '1[[',
              json_quote(max("t2"."key")),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          concat (
            '{"id":"ord_',
            "t1"."id",
            '","lines":',
            (
              SELECT
                concat (
                  '{"nodes":[',
                  coalesce(string_agg ("t4"."item", ','), ''),
                  '],"pageInfo":{"hasNextPage":',
                  CASE
                    WHEN count(*) = + ?
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "order_line" AS "t5"
                      WHERE
                        "t5"."order_id" = "t1"."id"
                      ORDER BY
                        "t5"."order_id",
                        "t5"."position"
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
                          json_quote("t6"."order_id"),
                          ',',
                          "t6"."position",
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t5"."order_id" AS "order_id",
                            "t5"."position" AS "position"
                          FROM
                            "order_line" AS "t5"
                          WHERE
                            "t5"."order_id" = "t1"."id"
                          ORDER BY
                            "t5"."order_id",
                            "t5"."position"
                          LIMIT
                            + ?
                          OFFSET
                            0
                        ) AS "t6"
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
                          json_quote("t6"."order_id"),
                          ',',
                          "t6"."position",
                          ']]',
                          char(2)
                        )
                      FROM
                        (
                          SELECT
                            "t5"."order_id" AS "order_id",
                            "t5"."position" AS "position"
                          FROM
                            "order_line" AS "t5"
                          WHERE
                            "t5"."order_id" = "t1"."id"
                          ORDER BY
                            "t5"."order_id",
                            "t5"."position"
                          LIMIT
                            + ?
                          OFFSET
                            + ?
                        ) AS "t6"
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
                                "t5"."order_id" AS "order_id",
                                "t5"."position" AS "position"
                              FROM
                                "order_line" AS "t5"
                              WHERE
                                "t5"."order_id" = "t1"."id"
                              ORDER BY
                                "t5"."order_id",
                                "t5"."position"
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
                  '}}'
                )
              FROM
                (
                  SELECT
                    concat (
                      '{"id":',
                      json_quote(
                        'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || "t3"."position"
                      ),
                      ',"quantity":',
                      "t3"."quantity",
                      '}'
                    ) AS "item"
                  FROM
                    "order_line" AS "t3"
                  WHERE
                    "t3"."order_id" = "t1"."id"
                  ORDER BY
                    "t3"."order_id",
                    "t3"."position"
                  LIMIT
                    + ?
                ) AS "t4"
            ),
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "order" AS "t1"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
