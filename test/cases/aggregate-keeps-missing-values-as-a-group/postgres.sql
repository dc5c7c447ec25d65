SELECT
  (
    SELECT
      (
        '{"groups":' || (
          SELECT
            (
              '[' || coalesce(
                string_agg(
                  (
                    '{"key":{"mood":' || coalesce(to_json("t4"."a1"::text)::text, 'null') || '},"count":' || "t4"."a2" || ',"max":{"madeOn":' || CASE
                      WHEN "t4"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN "t4"."a3" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json(("t4"."a3" + 0))::text
                        END,
                        chr(3)
                      )
                    END || '}}'
                  ),
                  ','
                ),
                ''
              ) || ']'
            )
          FROM
            (
              SELECT
                ("t3"."mood" COLLATE "C") AS "a1",
                count(*) AS "a2",
                max("t3"."made_on") AS "a3"
              FROM
                "exhibit" AS "t3"
              GROUP BY
                1
              ORDER BY
                1 NULLS LAST
              LIMIT
                + $1::bigint
            ) AS "t4"
        ) || ',"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $2::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "exhibit" AS "t1"
                  ORDER BY
                    "t1"."id"
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $2::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  CASE
                    WHEN (array_agg("t2"."id")) [1] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t2"."id")) [1] | 0)::text
                  END,
                  '["text",' || to_json((array_agg("t2"."id")) [1]::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  CASE
                    WHEN (array_agg("t2"."id")) [count(*)] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t2"."id")) [count(*)] | 0)::text
                  END,
                  '["text",' || to_json((array_agg("t2"."id")) [count(*)]::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '}}'
        )
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              coalesce(
                '{"id":"exhibit_' || ("t1"."id" | 0) || '"}',
                '{"id":' || chr(3) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "exhibit" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $2::bigint
      ) AS "t2"
  ) AS "r0"
