SELECT
  (
    SELECT
      concat(
        '{"lines":',
        (
          SELECT
            concat(
              '{"nodes":[',
              coalesce(
                string_agg(
                  concat(
                    '{"id":',
                    coalesce(
                      to_json(
                        'line_' || replace(replace("t3"."order_id", '%', '%25'), '~', '%7E') || '~' || "t3"."position"
                      )::text,
                      chr(3)
                    ),
                    ',"position":',
                    coalesce("t3"."position"::text, chr(3)),
                    ',"lineTotal":',
                    coalesce(
                      CASE
                        WHEN abs("t3"."line_total") < 'Infinity' THEN '"' || round("t3"."line_total", 2) || '"'
                      END,
                      chr(3)
                    ),
                    '}'
                  ),
                  ','
                ) FILTER (
                  WHERE
                    "t3"."number" <= $1::bigint
                ),
                ''
              ),
              '],"pageInfo":{"hasNextPage":',
              CASE
                WHEN count(*) > $2::bigint THEN 'true'
                ELSE 'false'
              END,
              ',"hasPreviousPage":false,"startCursor":',
              coalesce(
                max(
                  concat(
                    chr(1),
                    '0[[',
                    coalesce(to_json("t3"."order_id")::text, chr(3)),
                    ',',
                    coalesce("t3"."position"::text, chr(3)),
                    ']]',
                    chr(2)
                  )
                ) FILTER (
                  WHERE
                    "t3"."number" = 1
                    AND "t3"."number" <= $3::bigint
                ),
                'null'
              ),
              ',"endCursor":',
              coalesce(
                max(
                  concat(
                    chr(1),
                    '0[[',
                    coalesce(to_json("t3"."order_id")::text, chr(3)),
                    ',',
                    coalesce("t3"."position"::text, chr(3)),
                    ']]',
                    chr(2)
                  )
                ) FILTER (
                  WHERE
                    "t3"."number" = CASE
                      WHEN "t3"."size" > $4::bigint THEN $5::bigint
                      ELSE "t3"."size"
                    END
                ),
                'null'
              ),
              '}}'
            )
          FROM
            (
              SELECT
                "t4".*,
                row_number() OVER () AS "number",
                count(*) OVER () AS "size"
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
                    ("t2"."order_id" COLLATE "C"),
                    "t2"."position"
                  LIMIT
                    $6::bigint
                ) AS "t4"
            ) AS "t3"
        ),
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $7::text
    LIMIT
      1
  ) AS "r0"
