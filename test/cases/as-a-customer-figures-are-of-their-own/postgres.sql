SELECT
  (
    '{"aggregate":' || (
      SELECT
        (
          '{"count":' || "t2"."a1" || ',"sum":{"total":' || CASE
            WHEN "t2"."a2" IS NULL THEN 'null'
            ELSE coalesce(
              '"' || CASE
                WHEN scale("t2"."a2") IS NOT NULL THEN round("t2"."a2", 2)
              END || '"',
              chr(3)
            )
          END || '}}'
        )
      FROM
        (
          SELECT
            count(*) AS "a1",
            sum("t1"."total") AS "a2"
          FROM
            "order" AS "t1"
          WHERE
            "t1"."customer_id" = $1::text
        ) AS "t2"
    ) || ',"groups":' || (
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
                ) || '},"count":' || "t4"."a2" || '}'
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
            count(*) AS "a2"
          FROM
            "order" AS "t3"
          WHERE
            "t3"."customer_id" = $2::text
          GROUP BY
            1
          ORDER BY
            1 NULLS LAST
          LIMIT
            + $3::bigint
        ) AS "t4"
    ) || '}'
  ) AS "r0"
