SELECT
  (
    SELECT
      (
        '{"lines":' || (
          WITH
            "t4" AS MATERIALIZED (
              SELECT
                "t2"."order_id" AS "order_id",
                "t2"."position" AS "position",
                "t2"."line_total" AS "line_total"
              FROM
                "order_line" AS "t2"
              WHERE
                "t2"."order_id" = "t1"."id"
              ORDER BY
                ("t2"."order_id" COLLATE "C"),
                "t2"."position"
              LIMIT
                + $1::bigint
            )
          SELECT
            (
              '{"nodes":[' || coalesce(
                string_agg(
                  (
                    '{"id":' || coalesce(
                      to_json(
                        'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || "t3"."position"
                      )::text,
                      chr(3)
                    ) || ',"position":' || coalesce("t3"."position"::text, chr(3)) || ',"lineTotal":' || coalesce(
                      CASE
                        WHEN abs("t3"."line_total") < 'Infinity' THEN '"' || round("t3"."line_total", 2) || '"'
                      END,
                      chr(3)
                    ) || '}'
                  ),
                  ','
                ),
                ''
              ) || '],"pageInfo":{"hasNextPage":' || CASE
                WHEN count(*) = + $2::bigint
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    "t4" AS "t3"
                  LIMIT
                    1
                  OFFSET
                    + $3::bigint
                ) THEN 'true'
                ELSE 'false'
              END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                (
                  SELECT
                    (
                      chr(1) || '0[[' || coalesce(to_json("t3"."order_id")::text, chr(3)) || ',' || coalesce("t3"."position"::text, chr(3)) || ']]' || chr(2)
                    )
                  FROM
                    (
                      SELECT
                        *
                      FROM
                        "t4"
                      LIMIT
                        + $4::bigint
                    ) AS "t3"
                  LIMIT
                    1
                  OFFSET
                    0
                ),
                'null'
              ) || ',"endCursor":' || coalesce(
                (
                  SELECT
                    (
                      chr(1) || '0[[' || coalesce(to_json("t3"."order_id")::text, chr(3)) || ',' || coalesce("t3"."position"::text, chr(3)) || ']]' || chr(2)
                    )
                  FROM
                    (
                      SELECT
                        *
                      FROM
                        "t4"
                      LIMIT
                        + $5::bigint
                    ) AS "t3"
                  LIMIT
                    1
                  OFFSET
                    + $6::bigint
                ),
                (
                  SELECT
                    (
                      chr(1) || '0[[' || coalesce(to_json("t3"."order_id")::text, chr(3)) || ',' || coalesce("t3"."position"::text, chr(3)) || ']]' || chr(2)
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
                            + $7::bigint
                        ) AS "t5"
                    ) AS "t3"
                  ORDER BY
                    "t3"."number" DESC
                  LIMIT
                    1
                ),
                'null'
              ) || '}}'
            )
          FROM
            (
              SELECT
                *
              FROM
                "t4"
              LIMIT
                + $8::bigint
            ) AS "t3"
        ) || '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $9::text
    LIMIT
      1
  ) AS "r0"
