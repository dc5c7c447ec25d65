SELECT
  (
    '{"groups":' || (
      SELECT
        (
          '[' || coalesce(
            string_agg(
              (
                '{"key":{"newsletter":' || coalesce(
                  (
                    "t2"."a1"
                    AND TRUE
                  )::text,
                  'null'
                ) || '},"count":' || "t2"."a2" || '}'
              ),
              ','
            ),
            ''
          ) || ']'
        )
      FROM
        (
          SELECT
            CASE
              WHEN "t1"."id" = $1::text THEN "t1"."newsletter"
            END AS "a1",
            count(*) AS "a2"
          FROM
            "customer" AS "t1"
          GROUP BY
            1
          ORDER BY
            1 NULLS LAST
          LIMIT
            + $2::bigint
        ) AS "t2"
    ) || ',"aggregate":' || (
      SELECT
        (
          '{"count":' || "t4"."a1" || ',"min":{"createdAt":' || CASE
            WHEN "t4"."a2" IS NULL THEN 'null'
            ELSE coalesce(
              CASE
                WHEN "t4"."a2" >= TIMESTAMPTZ '0001-01-01Z'
                AND "t4"."a2" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                  to_json("t4"."a2"::timestamptz AT TIME ZONE 'UTC')::text,
                  '"'
                ) || 'Z"'
              END,
              chr(3)
            )
          END || '},"max":{"createdAt":' || CASE
            WHEN "t4"."a3" IS NULL THEN 'null'
            ELSE coalesce(
              CASE
                WHEN "t4"."a3" >= TIMESTAMPTZ '0001-01-01Z'
                AND "t4"."a3" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                  to_json("t4"."a3"::timestamptz AT TIME ZONE 'UTC')::text,
                  '"'
                ) || 'Z"'
              END,
              chr(3)
            )
          END || '}}'
        )
      FROM
        (
          SELECT
            count(*) AS "a1",
            min(
              CASE
                WHEN "t3"."id" = $3::text THEN "t3"."created_at"
              END
            ) AS "a2",
            max(
              CASE
                WHEN "t3"."id" = $4::text THEN "t3"."created_at"
              END
            ) AS "a3"
          FROM
            "customer" AS "t3"
        ) AS "t4"
    ) || '}'
  ) AS "r0"
