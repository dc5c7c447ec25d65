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
                    '{"key":{"mood":',
                    coalesce(to_json("t5"."a1")::text, 'null'),
                    '},"count":',
                    "t5"."a2",
                    ',"max":{"madeOn":',
                    CASE
                      WHEN "t5"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN "t5"."a3" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json("t5"."a3")::text
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
                ("t4"."mood" COLLATE "C") AS "a1",
                count(*) AS "a2",
                max("t4"."made_on") AS "a3"
              FROM
                "exhibit" AS "t4"
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
              coalesce('"exhibit_' || "t2"."id" || '"', chr(3)),
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
              coalesce("t2"."id"::text, chr(3)),
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
              coalesce("t2"."id"::text, chr(3)),
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
              "exhibit" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
