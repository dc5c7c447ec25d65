SELECT
  (
    SELECT
      (
        '{"lines":' || (
          SELECT
            (
              '{"nodes":[' || coalesce(string_agg("t3"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
                WHEN count(*) = + $1::bigint
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t4"
                  WHERE
                    "t4"."order_id" = "t1"."id"
                  ORDER BY
                    ("t4"."order_id" COLLATE "C"),
                    "t4"."position"
                  LIMIT
                    1
                  OFFSET
                    + $2::bigint
                ) THEN 'true'
                ELSE 'false'
              END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                (
                  SELECT
                    (
                      chr(1) || '0[[' || coalesce(to_json("t5"."order_id")::text, chr(3)) || ',' || coalesce("t5"."position"::text, chr(3)) || ']]' || chr(2)
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
                        ("t4"."order_id" COLLATE "C"),
                        "t4"."position"
                      LIMIT
                        + $3::bigint
                      OFFSET
                        0
                    ) AS "t5"
                ),
                'null'
              ) || ',"endCursor":' || coalesce(
                (
                  SELECT
                    (
                      chr(1) || '0[[' || coalesce(to_json("t5"."order_id")::text, chr(3)) || ',' || coalesce("t5"."position"::text, chr(3)) || ']]' || chr(2)
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
                        ("t4"."order_id" COLLATE "C"),
                        "t4"."position"
                      LIMIT
                        + $4::bigint
                      OFFSET
                        + $5::bigint
                    ) AS "t5"
                ),
                (
                  SELECT
                    (
                      chr(1) || '0[[' || coalesce(to_json("t5"."order_id")::text, chr(3)) || ',' || coalesce("t5"."position"::text, chr(3)) || ']]' || chr(2)
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
                            ("t4"."order_id" COLLATE "C"),
                            "t4"."position"
                          LIMIT
                            + $6::bigint
                        ) AS "t6"
                    ) AS "t5"
                  ORDER BY
                    "t5"."number" DESC
                  LIMIT
                    1
                ),
                'null'
              ) || '}}'
            )
          FROM
            (
              SELECT
                (
                  '{"id":' || coalesce(
                    to_json(
                      'line_' || replace(replace("t2"."order_id", '%', '%25'), '~', '%7E') || '~' || "t2"."position"
                    )::text,
                    chr(3)
                  ) || ',"position":' || coalesce("t2"."position"::text, chr(3)) || ',"lineTotal":' || coalesce(
                    CASE
                      WHEN abs("t2"."line_total") < 'Infinity' THEN '"' || round("t2"."line_total", 2) || '"'
                    END,
                    chr(3)
                  ) || '}'
                ) AS "item"
              FROM
                "order_line" AS "t2"
              WHERE
                "t2"."order_id" = "t1"."id"
              ORDER BY
                ("t2"."order_id" COLLATE "C"),
                "t2"."position"
              LIMIT
                + $7::bigint
            ) AS "t3"
        ) || '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $8::text
    LIMIT
      1
  ) AS "r0"
