SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."phone" AS "phone",
          "t1"."born_on" AS "born_on"
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
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('cus_' || "t2"."id")::text)::text,
                chr(3)
              ) || ',"phone":' || coalesce(to_json("t2"."phone"::text)::text, 'null') || ',"bornOn":' || CASE
                WHEN "t2"."born_on" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t2"."born_on" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json(("t2"."born_on" + 0))::text
                  END,
                  chr(3)
                )
              END || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."id" IS DISTINCT FROM (
                SELECT
                  "t2"."id"
                FROM
                  "t3" AS "t2"
                LIMIT
                  1
                OFFSET
                  + $2::bigint
              )
          ),
          ''
        ) || '],"totalCount":' || (
          SELECT
            count(*)
          FROM
            "customer" AS "t5"
          WHERE
            (
              ("t5"."phone" IS NULL)
              AND ("t5"."born_on" IS NOT NULL)
            )
        ) || ',"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $3::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $4::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $5::bigint
            OFFSET
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t4".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t3"
                    LIMIT
                      + $7::bigint
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
