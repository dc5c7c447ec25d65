SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"ord_' || "t2"."id" || '"', chr(3)),
              ',"placedAt":',
              CASE
                WHEN "t2"."placed_at" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t2"."placed_at" >= TIMESTAMPTZ '0001-01-01Z'
                    AND "t2"."placed_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                      to_json("t2"."placed_at" AT TIME ZONE 'UTC')::text,
                      '"'
                    ) || 'Z"'
                  END,
                  chr(3)
                )
              END,
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number_" <= $1::bigint
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "order" AS "t4"
          WHERE
            (
              "t4"."placed_at" <= $2::timestamptz
              AND "t4"."placed_at" > $3::timestamptz
            )
        ),
        ',"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $4::bigint THEN 'true'
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
              "t2"."number_" = 1
              AND "t2"."number_" <= $5::bigint
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
              "t2"."number_" = CASE
                WHEN "t2"."size" > $6::bigint THEN $7::bigint
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
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id",
              "t1"."placed_at" AS "placed_at"
            FROM
              "order" AS "t1"
            WHERE
              (
                "t1"."placed_at" <= $8::timestamptz
                AND "t1"."placed_at" > $9::timestamptz
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $10::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
