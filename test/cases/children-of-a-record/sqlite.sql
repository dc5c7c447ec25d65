SELECT
  (
    SELECT
      concat (
        '{"lines":',
        (
          SELECT
            concat (
              '{"nodes":[',
              coalesce(
                string_agg (
                  concat (
                    '{"id":',
                    json_quote(
                      'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || "t3"."position"
                    ),
                    ',"position":',
                    "t3"."position",
                    ',"lineTotal":',
                    CASE
                      WHEN "t3"."line_total" >= 0 THEN '"' || ("t3"."line_total" / 100) || '.' || substr(100 + ("t3"."line_total" % 100), 2) || '"'
                      ELSE '"-' || - ("t3"."line_total" / 100) || '.' || substr(100 - ("t3"."line_total" % 100), 2) || '"'
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
                    (
                      SELECT
                        "t2"."order_id" AS "order_id",
                        "t2"."position" AS "position",
                        "t2"."line_total" AS "line_total"
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
                      json_quote("t3"."order_id"),
                      ',',
                      "t3"."position",
                      ']]',
                      char(2)
                    )
                  FROM
                    (
                      SELECT
                        "t2"."order_id" AS "order_id",
                        "t2"."position" AS "position",
                        "t2"."line_total" AS "line_total"
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
                      json_quote("t3"."order_id"),
                      ',',
                      "t3"."position",
                      ']]',
                      char(2)
                    )
                  FROM
                    (
                      SELECT
                        "t2"."order_id" AS "order_id",
                        "t2"."position" AS "position",
                        "t2"."line_total" AS "line_total"
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
                      json_quote("t3"."order_id"),
                      ',',
                      "t3"."position",
                      ']]',
                      char(2)
                    )
                  FROM
                    (
                      SELECT
                        "t4".*,
                        row_number() OVER () AS "number"
                      FROM
                        (
                          SELECT
                            "t2"."order_id" AS "order_id",
                            "t2"."position" AS "position",
                            "t2"."line_total" AS "line_total"
                          FROM
                            "order_line" AS "t2"
                          WHERE
                            "t2"."order_id" = "t1"."id"
                          ORDER BY
                            "t2"."order_id",
                            "t2"."position"
                          LIMIT
                            + ?
                        ) AS "t4"
                    ) AS "t3"
                  ORDER BY
                    "t3"."number" DESC
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
                "t2"."order_id" AS "order_id",
                "t2"."position" AS "position",
                "t2"."line_total" AS "line_total"
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
