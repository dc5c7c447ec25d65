SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              CASE
                WHEN "t2"."id" IS NULL THEN ''
                ELSE concat('"ord_', "t2"."id", '"')
              END,
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
                  ''
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
              '0[',
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
                  ''
                )
              END,
              ',[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number_" = 1
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              '0[',
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
                  ''
                )
              END,
              ',[',
              coalesce(to_json(("t2"."id" COLLATE "C"))::text, ''),
              ']]'
            )
          ) FILTER (
            WHERE
              "t2"."number_" = CASE
                WHEN "t2"."size" > $3::bigint THEN $4::bigint
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
              TRUE
              AND (
                "t1"."placed_at" IS NULL
                AND ("t1"."id" COLLATE "C") > $5::text
              )
            ORDER BY
              "t1"."placed_at",
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
