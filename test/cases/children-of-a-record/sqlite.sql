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
                      json_quote("t5"."order_id"),
                      ',',
                      "t5"."position",
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
                      json_quote("t5"."order_id"),
                      ',',
                      "t5"."position",
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
                      json_quote("t5"."order_id"),
                      ',',
                      "t5"."position",
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
                  json_quote(
                    'line_' || replace(replace("t2"."order_id", '%', '%25'), '~', '%7E') || '~' || "t2"."position"
                  ),
                  ',"position":',
                  "t2"."position",
                  ',"lineTotal":"',
                  CASE
                    WHEN "t2"."line_total" < 0 THEN '-'
                    ELSE ''
                  END,
                  abs("t2"."line_total" / 100),
                  '.',
                  substr(100 + abs("t2"."line_total" % 100), 2),
                  '"}'
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
