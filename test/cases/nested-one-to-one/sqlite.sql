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
              '"' || min("t2"."key") || '"',
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
              '"' || max("t2"."key") || '"',
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
            '{"id":"room_',
            "t1"."id",
            '","name":',
            json_quote("t1"."name"),
            ',"guard":',
            CASE
              WHEN "t3"."room_id" IS NOT NULL THEN concat (
                '{"id":"guard_',
                "t3"."id",
                '","name":',
                json_quote("t3"."name"),
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
