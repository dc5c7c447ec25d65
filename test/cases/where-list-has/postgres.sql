SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"prd_' || "t2"."id" || '"', chr(3)),
              ',"colours":',
              coalesce(
                CASE
                  WHEN "t2"."colours" IS NOT NULL
                  AND coalesce(array_ndims("t2"."colours"), 1) = 1 THEN (
                    SELECT
                      CASE
                        WHEN bool_or((to_json(item.value)::text) IS NULL) THEN NULL
                        ELSE '[' || coalesce(
                          string_agg(
                            to_json(item.value)::text,
                            ','
                            ORDER BY
                              item.place
                          ),
                          ''
                        ) || ']'
                      END
                    FROM
                      unnest("t2"."colours") WITH ORDINALITY AS item (value, place)
                  )
                END,
                chr(3)
              ),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= $1::bigint
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
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
              "t1"."colours" AS "colours"
            FROM
              "product" AS "t1"
            WHERE
              "t1"."colours"::text[] && $6::text[]
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $7::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
