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
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > $2::bigint THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":true,"startCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[',
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
              ',[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
              AND "t2"."number_" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[',
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
              ',[',
              coalesce(to_json("t2"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
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
                "t1"."placed_at" IS NULL
                AND ("t1"."id" COLLATE "C") > $6::text
              )
            ORDER BY
              "t1"."placed_at",
              ("t1"."id" COLLATE "C")
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
