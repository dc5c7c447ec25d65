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
                    '{"key":{"status":' || coalesce(
                      CASE
                        WHEN "t4"."a1"::text COLLATE "C" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN to_json("t4"."a1"::text)::text
                      END,
                      chr(3)
                    ) || '},"count":' || "t4"."a2" || ',"sum":{"total":' || CASE
                      WHEN "t4"."a3" IS NULL THEN 'null'
                      ELSE coalesce(
                        '"' || CASE
                          WHEN scale("t4"."a3") IS NOT NULL THEN round("t4"."a3", 2)
                        END || '"',
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
                ("t3"."status" COLLATE "C") AS "a1",
                count(*) AS "a2",
                sum("t3"."total") AS "a3"
              FROM
                "order" AS "t3"
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
                    "order" AS "t1"
                  ORDER BY
                    ("t1"."id" COLLATE "C")
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
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)]::text)::text,
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
              (
                '{"id":' || coalesce(
                  to_json(('ord_' || "t1"."id")::text)::text,
                  chr(3)
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $2::bigint
      ) AS "t2"
  ) AS "r0"
