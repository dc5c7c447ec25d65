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
                "tag" AS "t5"
              WHERE
                "t5"."name" > (
                  SELECT
                    max("t2"."key")
                )
              ORDER BY
                "t5"."name"
              LIMIT
                1
            )
            ELSE EXISTS (
              SELECT
                1
              FROM
                "tag" AS "t3"
              ORDER BY
                "t3"."name"
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
              json_quote(min("t2"."key")),
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
              json_quote(max("t2"."key")),
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
            '{"id":',
            json_quote('tag_' || "t1"."name"),
            ',"name":',
            json_quote("t1"."name"),
            ',"featured":',
            CASE "t1"."featured"
              WHEN 1 THEN 'true'
              WHEN 0 THEN 'false'
            END,
            '}'
          ) AS "item",
          "t1"."name" AS "key"
        FROM
          "tag" AS "t1"
        ORDER BY
          "t1"."name"
        LIMIT
          + ?
      ) AS "t2"
  ) AS "r0"
