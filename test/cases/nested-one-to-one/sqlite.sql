SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(string_agg ("t2"."item", ','), ''),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND CASE
            WHEN + ? > 0 THEN EXISTS (
              SELECT
                1
              FROM
                "room" AS "t6"
              WHERE
                "t6"."id" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t6"."id"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "room" AS "t4"
              ORDER BY
                "t4"."id"
              LIMIT
                1
              OFFSET
                + ?
            )
          END THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              coalesce(
                '"' || CASE
                  WHEN length(min("t2"."key")) = 36
                  AND octet_length (unhex (min("t2"."key"), '-')) = 16 THEN min("t2"."key")
                END || '"',
                CASE
                  WHEN min("t2"."key") IS NOT NULL THEN json_array(
                    typeof(min("t2"."key")),
                    CASE typeof(min("t2"."key"))
                      WHEN 'blob' THEN hex(min("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', min("t2"."key"))
                      ELSE CAST(min("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        ',"endCursor":',
        coalesce(
          CASE
            WHEN count(*) > 0 THEN concat (
              char(1),
              '0[[',
              coalesce(
                '"' || CASE
                  WHEN length(max("t2"."key")) = 36
                  AND octet_length (unhex (max("t2"."key"), '-')) = 16 THEN max("t2"."key")
                END || '"',
                CASE
                  WHEN max("t2"."key") IS NOT NULL THEN json_array(
                    typeof(max("t2"."key")),
                    CASE typeof(max("t2"."key"))
                      WHEN 'blob' THEN hex(max("t2"."key"))
                      WHEN 'real' THEN format('%!.17g', max("t2"."key"))
                      ELSE CAST(max("t2"."key") AS TEXT)
                    END
                  )
                END,
                'null'
              ),
              ']]',
              char(2)
            )
          END,
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          concat (
            coalesce(
              '{"id":"room_' || CASE
                WHEN length("t1"."id") = 36
                AND octet_length (unhex ("t1"."id", '-')) = 16 THEN "t1"."id"
              END || '","name":',
              '{"id":' || char(3) || ',"name":'
            ),
            coalesce(
              CASE typeof("t1"."name")
                WHEN 'text' THEN json_quote("t1"."name")
              END,
              char(3)
            ),
            ',"guard":',
            CASE
              WHEN "t3"."room_id" IS NOT NULL THEN concat (
                coalesce(
                  '{"id":"guard_' || CASE typeof("t3"."id")
                    WHEN 'integer' THEN "t3"."id"
                  END || '","name":',
                  '{"id":' || char(3) || ',"name":'
                ),
                coalesce(
                  CASE typeof("t3"."name")
                    WHEN 'text' THEN json_quote("t3"."name")
                  END,
                  char(3)
                ),
                '}'
              )
              ELSE 'null'
            END,
            '}'
          ) AS "item",
          "t1"."id" AS "key"
        FROM
          "room" AS "t1"
          LEFT JOIN "guard" AS "t3" ON "t3"."room_id" = "t1"."id"
        ORDER BY
          "t1"."id"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
