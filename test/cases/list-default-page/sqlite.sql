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
              coalesce(
                CASE typeof(min("t2"."key"))
                  WHEN 'text' THEN json_quote(min("t2"."key"))
                END,
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
                CASE typeof(max("t2"."key"))
                  WHEN 'text' THEN json_quote(max("t2"."key"))
                END,
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
            '{',
            CASE
              WHEN (
                SELECT
                  bifold_columns (
                    '["tag",["name","TEXT",1],["featured","INTEGER",1]]'
                  )
              ) THEN concat (
                '"id":',
                coalesce(
                  CASE
                    WHEN ('tag_' || "t1"."name") IS NOT NULL THEN json_quote(('tag_' || "t1"."name"))
                  END,
                  char(3)
                ),
                ',"name":',
                json_quote("t1"."name"),
                ',"featured":',
                coalesce(
                  CASE "t1"."featured"
                    WHEN 1 THEN 'true'
                    WHEN 0 THEN 'false'
                  END,
                  char(3)
                )
              )
              ELSE concat (
                '"id":',
                coalesce(
                  CASE typeof(('tag_' || "t1"."name"))
                    WHEN 'text' THEN json_quote(('tag_' || "t1"."name"))
                  END,
                  char(3)
                ),
                ',"name":',
                coalesce(
                  CASE typeof("t1"."name")
                    WHEN 'text' THEN json_quote("t1"."name")
                  END,
                  char(3)
                ),
                ',"featured":',
                coalesce(
                  CASE "t1"."featured"
                    WHEN 1 THEN 'true'
                    WHEN 0 THEN 'false'
                  END,
                  char(3)
                )
              )
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
