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
                    CASE
                      WHEN "t3"."order_id" IS NULL
                      OR "t3"."position" IS NULL THEN ''
                      ELSE concat(
                        to_json(
                          concat(
                            'line_',
                            replace(replace("t3"."order_id", '%', '%25'), '~', '%7E'),
                            '~',
                            "t3"."position"
                          )
                        )::text
                      )
                    END,
                    ',"position":',
                    coalesce("t3"."position"::text, ''),
                    ',"lineTotal":',
                    coalesce(
                      CASE
                        WHEN abs("t3"."line_total") < 'Infinity' THEN '"' || round("t3"."line_total", 2) || '"'
                      END,
                      ''
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
                    '0[[',
                    coalesce(to_json(("t3"."order_id" COLLATE "C"))::text, ''),
                    ',',
                    coalesce("t3"."position"::text, ''),
                    ']]'
                  )
                ) FILTER (
                  WHERE
                    "t3"."number" = 1
                ),
                'null'
              ),
              ',"endCursor":',
              coalesce(
                max(
                  concat(
                    '0[[',
                    coalesce(to_json(("t3"."order_id" COLLATE "C"))::text, ''),
                    ',',
                    coalesce("t3"."position"::text, ''),
                    ']]'
                  )
                ) FILTER (
                  WHERE
                    "t3"."number" = CASE
                      WHEN "t3"."size" > $3::bigint THEN $4::bigint
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
                    $5::bigint
                ) AS "t4"
            ) AS "t3"
        ),
        '}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = $6::text
    LIMIT
      1
  ) AS "r0"
