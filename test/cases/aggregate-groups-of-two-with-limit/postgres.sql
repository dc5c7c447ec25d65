SELECT
  (
    SELECT
      concat(
        '{"groups":',
        (
          SELECT
            concat(
              '[',
              coalesce(
                string_agg(
                  concat(
                    '{"key":{"active":',
                    coalesce("t5"."a1"::text, chr(3)),
                    ',"categoryId":',
                    coalesce('"cat_' || "t5"."a2" || '"', chr(3)),
                    '},"count":',
                    "t5"."a3",
                    ',"avg":{"weight":',
                    CASE
                      WHEN "t5"."a4" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t5"."a4") < 'Infinity' THEN ("t5"."a4"::float8 + 0)::text
                        END,
                        chr(3)
                      )
                    END,
                    '}}'
                  ),
                  ','
                ),
                ''
              ),
              ']'
            )
          FROM
            (
              SELECT
                "t4"."active" AS "a1",
                ("t4"."category_id" COLLATE "C") AS "a2",
                count(*) AS "a3",
                sum("t4"."weight"::float8)::float8 / nullif(count("t4"."weight"), 0) AS "a4"
              FROM
                "product" AS "t4"
              GROUP BY
                1,
                2
              ORDER BY
                1 NULLS LAST,
                2 NULLS LAST
              LIMIT
                $1::bigint
            ) AS "t5"
        ),
        ',"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t2"."id" || '"', chr(3)),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $2::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $3::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= $4::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $5::bigint THEN $6::bigint
                ELSE "t2"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t3".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
