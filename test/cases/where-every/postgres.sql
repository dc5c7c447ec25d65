SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"ord_' || "t4"."id" || '"', chr(3)),
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t4"."number_" <= $1::bigint
          ),
          ''
        ),
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "order" AS "t6"
          WHERE
            (
              EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t7"
                WHERE
                  "t7"."order_id" = "t6"."id"
                  AND TRUE
              )
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  "order_line" AS "t8"
                WHERE
                  "t8"."order_id" = "t6"."id"
                  AND (("t8"."gift_message" IS NOT NULL)) IS NOT TRUE
              )
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
              coalesce(to_json("t4"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t4"."number_" = 1
              AND "t4"."number_" <= $3::bigint
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat(
              chr(1),
              '0[[',
              coalesce(to_json("t4"."id")::text, chr(3)),
              ']]',
              chr(2)
            )
          ) FILTER (
            WHERE
              "t4"."number_" = CASE
                WHEN "t4"."size" > $4::bigint THEN $5::bigint
                ELSE "t4"."size"
              END
          ),
          'null'
        ),
        '}}'
      )
    FROM
      (
        SELECT
          "t5".*,
          row_number() OVER () AS "number_",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "order" AS "t1"
            WHERE
              (
                EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t2"
                  WHERE
                    "t2"."order_id" = "t1"."id"
                    AND TRUE
                )
                AND NOT EXISTS (
                  SELECT
                    1
                  FROM
                    "order_line" AS "t3"
                  WHERE
                    "t3"."order_id" = "t1"."id"
                    AND (("t3"."gift_message" IS NOT NULL)) IS NOT TRUE
                )
              )
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              $6::bigint
          ) AS "t5"
      ) AS "t4"
  ) AS "r0"
