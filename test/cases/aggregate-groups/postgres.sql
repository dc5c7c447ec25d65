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
                    coalesce(to_json("t5"."a1")::text, chr(3)),
                    '},"count":',
                    "t5"."a2",
                    ',"sum":{"total":',
                    CASE
                      WHEN "t5"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN abs("t5"."a3") < 'Infinity' THEN '"' || round("t5"."a3", 2) || '"'
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
                ("t4"."status" COLLATE "C") AS "a1",
                count(*) AS "a2",
                sum("t4"."total") AS "a3"
              FROM
                "order" AS "t4"
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
              coalesce('"ord_' || "t2"."id" || '"', chr(3)),
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
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= $4::bigint
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
              "t2"."number_" = CASE
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
