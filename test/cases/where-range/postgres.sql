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
              ',"price":',
              coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
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
              '0[',
              coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
                END,
                chr(3)
              ),
              ',[',
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
              '0[',
              coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
                END,
                chr(3)
              ),
              ',[',
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
              "t1"."price" AS "price"
            FROM
              "product" AS "t1"
            WHERE
              (
                "t1"."price" < $6::numeric
                AND "t1"."price" >= $7::numeric
              )
            ORDER BY
              "t1"."price",
              ("t1"."id" COLLATE "C")
            LIMIT
              $8::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
