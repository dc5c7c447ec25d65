SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"cus_' || "t2"."id" || '"', chr(3)),
              ',"phone":',
              coalesce(to_json("t2"."phone")::text, 'null'),
              ',"bornOn":',
              CASE
                WHEN "t2"."born_on" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t2"."born_on" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json("t2"."born_on")::text
                  END,
                  chr(3)
                )
              END,
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $1::bigint
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "customer" AS "t4"
          WHERE
            (
              ("t4"."phone" IS NULL)
              AND ("t4"."born_on" IS NOT NULL)
            )
        ),
        ',"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $2::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > $4::bigint THEN $5::bigint
                ELSE "t2"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t3".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
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
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
