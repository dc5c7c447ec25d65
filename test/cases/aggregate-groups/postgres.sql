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
                    '{"key":{"status":',
                    coalesce(to_json("t5"."a1")::text, ''),
                    '},"count":',
                    "t5"."a2",
                    ',"sum":{"total":',
                    CASE
                      WHEN "t5"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t5"."a3") < 'Infinity' THEN '"' || round("t5"."a3", 2) || '"'
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
                ("t4"."status" COLLATE "C") AS "a1",
                count(*) AS "a2",
                sum("t4"."total") AS "a3"
              FROM
                "order" AS "t4"
              WHERE
                TRUE
              GROUP BY
                1
              ORDER BY
                1 NULLS LAST
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
                ELSE concat('"ord_', "t2"."id", '"')
              END,
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number_" <= $2::bigint
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
              "t2"."number_" = 1
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
              "t2"."number_" = CASE
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              TRUE
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
