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
                    coalesce("t5"."a1"::text, ''),
                    ',"categoryId":',
                    CASE
                      WHEN "t5"."a2" IS NULL THEN ''
                      ELSE concat('"cat_', "t5"."a2", '"')
                    END,
                    '},"count":',
                    "t5"."a3",
                    ',"avg":{"weight":',
                    CASE
                      WHEN "t5"."a4" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t5"."a4") < 'Infinity' THEN ("t5"."a4"::float8 + 0)::text
                        END,
                        ''
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
              WHERE
                TRUE
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
              CASE
                WHEN "t2"."id" IS NULL THEN ''
                ELSE concat('"prd_', "t2"."id", '"')
              END,
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
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $4::bigint THEN $5::bigint
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
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
