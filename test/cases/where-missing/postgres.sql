SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"totalCount":' || (
            SELECT
              count(*)
            FROM
              "customer" AS "t3"
            WHERE
              (
                ("t3"."phone" IS NULL)
                AND ("t3"."born_on" IS NOT NULL)
              )
          ) || ',"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $1::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "customer" AS "t1"
                  WHERE
                    (
                      ("t1"."phone" IS NULL)
                      AND ("t1"."born_on" IS NOT NULL)
                    )
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(to_json((array_agg("t2"."id")) [1])::text, chr(3)) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)])::text,
                  chr(3)
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
                coalesce(
                  '{"id":"cus_' || "t1"."id" || '","phone":',
                  '{"id":' || chr(3) || ',"phone":'
                ) || coalesce(to_json("t1"."phone")::text, 'null') || ',"bornOn":' || CASE
                  WHEN "t1"."born_on" IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE
                      WHEN "t1"."born_on" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json("t1"."born_on")::text
                    END,
                    chr(3)
                  )
                END || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "customer" AS "t1"
            WHERE
              (
                ("t1"."phone" IS NULL)
                AND ("t1"."born_on" IS NOT NULL)
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
