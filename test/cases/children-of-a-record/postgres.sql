SELECT
  (
    SELECT
      (
        '{"lines":' || (
          SELECT
            (
              '{"nodes":[' || coalesce(string_agg("t3"."item", ','), '') || (
                '],"pageInfo":{"hasNextPage":' || CASE
                  WHEN count(*) = + $1::bigint
                  AND EXISTS (
                    SELECT
                      1
                    FROM
                      (
                        SELECT
                          1
                        FROM
                          "order_line" AS "t2"
                        WHERE
                          "t2"."order_id" = "t1"."id"
                        ORDER BY
                          ("t2"."order_id" COLLATE "C"),
                          "t2"."position"
                        LIMIT
                          11
                      ) AS "t3"
                    LIMIT
                      1
                    OFFSET
                      + $1::bigint
                  ) THEN 'true'
                  ELSE 'false'
                END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                  CASE
                    WHEN count(*) > 0 THEN (
                      chr(1) || '0[[' || coalesce(
                        to_json((array_agg("t3"."order_id")) [1]::text)::text,
                        'null'
                      ) || ',' || coalesce(
                        CASE
                          WHEN (array_agg("t3"."position")) [1] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t3"."position")) [1] | 0)::text
                        END,
                        '["text",' || to_json((array_agg("t3"."position")) [1]::text)::text || ']',
                        'null'
                      ) || ']]' || chr(2)
                    )
                  END,
                  'null'
                ) || ',"endCursor":' || coalesce(
                  CASE
                    WHEN count(*) > 0 THEN (
                      chr(1) || '0[[' || coalesce(
                        to_json((array_agg("t3"."order_id")) [count(*)]::text)::text,
                        'null'
                      ) || ',' || coalesce(
                        CASE
                          WHEN (array_agg("t3"."position")) [count(*)] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t3"."position")) [count(*)] | 0)::text
                        END,
                        '["text",' || to_json((array_agg("t3"."position")) [count(*)]::text)::text || ']',
                        'null'
                      ) || ']]' || chr(2)
                    )
                  END,
                  'null'
                ) || '}}'
              )
            )
          FROM
            (
              SELECT
                *
              FROM
                (
                  SELECT
                    (
                      '{"id":' || coalesce(
                        to_json(
                          (
                            'line_' || replace(replace("t2"."order_id", '%', '%25'), '~', '%7E') || '~' || ("t2"."position" | 0)
                          )::text
                        )::text,
                        chr(3)
                      ) || ',"position":' || coalesce(
                        CASE
                          WHEN "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."position" | 0)::text
                        END,
                        chr(3)
                      ) || coalesce(
                        ',"lineTotal":"' || CASE
                          WHEN scale("t2"."line_total") IS NOT NULL THEN round("t2"."line_total", 2)
                        END || '"}',
                        ',"lineTotal":' || chr(3) || '}'
                      )
                    ) AS "item",
                    "t2"."order_id" AS "order_id",
                    "t2"."position" AS "position"
                  FROM
                    "order_line" AS "t2"
                  WHERE
                    "t2"."order_id" = "t1"."id"
                  ORDER BY
                    ("t2"."order_id" COLLATE "C"),
                    "t2"."position"
                  LIMIT
                    11
                ) AS "t3"
              LIMIT
                + $1::bigint
            ) AS "t3"
        ) || '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $2::text
    LIMIT
      1
  ) AS "r0"
