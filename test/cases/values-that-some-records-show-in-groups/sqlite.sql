SELECT
  concat (
    '{"groups":',
    (
      SELECT
        concat (
          '[',
          coalesce(
            string_agg (
              concat (
                '{"key":{"newsletter":',
                CASE
                  WHEN "t2"."a1" IS NULL THEN 'null'
                  ELSE coalesce(
                    CASE "t2"."a1"
                      WHEN 1 THEN 'true'
                      WHEN 0 THEN 'false'
                    END,
                    char(3)
                  )
                END,
                '},"count":',
                "t2"."a2",
                '}'
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
            CASE
              WHEN "t1"."id" = ? THEN "t1"."newsletter"
            END AS "a1",
            count(*) AS "a2"
          FROM
            "customer" AS "t1"
          GROUP BY
            1
          ORDER BY
            1 NULLS LAST
          LIMIT
            + ?
        ) AS "t2"
    ),
    ',"aggregate":',
    (
      SELECT
        concat (
          '{"count":',
          "t4"."a1",
          ',"min":{"createdAt":',
          CASE
            WHEN "t4"."a2" IS NULL THEN 'null'
            ELSE coalesce(
              '"' || CASE
                WHEN "t4"."a2" GLOB '????-??-??T??:??:??.??????Z'
                AND unixepoch("t4"."a2") IS NOT NULL THEN rtrim(rtrim(substr("t4"."a2", 1, 26), '0'), '.') || 'Z'
              END || '"',
              char(3)
            )
          END,
          '},"max":{"createdAt":',
          CASE
            WHEN "t4"."a3" IS NULL THEN 'null'
            ELSE coalesce(
              '"' || CASE
                WHEN "t4"."a3" GLOB '????-??-??T??:??:??.??????Z'
                AND unixepoch("t4"."a3") IS NOT NULL THEN rtrim(rtrim(substr("t4"."a3", 1, 26), '0'), '.') || 'Z'
              END || '"',
              char(3)
            )
          END,
          '}}'
        )
      FROM
        (
          SELECT
            count(*) AS "a1",
            min(
              CASE
                WHEN "t3"."id" = ? THEN "t3"."created_at"
              END
            ) AS "a2",
            max(
              CASE
                WHEN "t3"."id" = ? THEN "t3"."created_at"
              END
            ) AS "a3"
          FROM
            "customer" AS "t3"
        ) AS "t4"
    ),
    '}'
  ) AS "r0"
