SELECT
  (
    SELECT
      concat(
        '{"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"id":',
              coalesce('"exhibit_' || "t2"."id" || '"', chr(3)),
              ',"value":',
              CASE
                WHEN "t2"."value" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t2"."value") < 'Infinity' THEN '"' || round("t2"."value", 4) || '"'
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
              CASE
                WHEN "t2"."value" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t2"."value") < 'Infinity' THEN '"' || round("t2"."value", 4) || '"'
                  END,
                  chr(3)
                )
              END,
              ',[',
              coalesce("t2"."id"::text, chr(3)),
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
              CASE
                WHEN "t2"."value" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t2"."value") < 'Infinity' THEN '"' || round("t2"."value", 4) || '"'
                  END,
                  chr(3)
                )
              END,
              ',[',
              coalesce("t2"."id"::text, chr(3)),
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
              "t1"."value" AS "value"
            FROM
              "exhibit" AS "t1"
            ORDER BY
              "t1"."value" DESC NULLS LAST,
              "t1"."id"
            LIMIT
              $6::bigint
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
