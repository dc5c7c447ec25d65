SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"exhibit_',
              "t2"."id",
              '","mood":',
              coalesce(json_quote("t2"."mood"), 'null'),
              ',"height":',
              CASE
                WHEN "t2"."height" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN abs("t2"."height") < 9e999 THEN CASE "t2"."height"
                      WHEN CAST(format('%.15g', "t2"."height") AS REAL) THEN format('%.15g', "t2"."height")
                      WHEN CAST(format('%.16g', "t2"."height") AS REAL) THEN format('%.16g', "t2"."height")
                      ELSE format('%!.17g', "t2"."height")
                    END
                  END,
                  char(3)
                )
              END,
              '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."number" <= ?
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          max(concat (char(1), '0[[', "t2"."id", ']]', char(2))) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(concat (char(1), '0[[', "t2"."id", ']]', char(2))) FILTER (
            WHERE
              "t2"."number" = CASE
                WHEN "t2"."size" > ? THEN ?
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
              "t1"."mood" AS "mood",
              "t1"."height" AS "height"
            FROM
              "exhibit" AS "t1"
            WHERE
              (
                "t1"."height" > ?
                AND TRUE
                AND ("t1"."mood" = ?) IS NOT TRUE
              )
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t3"
      ) AS "t2"
  ) AS "r0"
