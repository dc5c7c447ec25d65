SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
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
          + ?
      )
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
              "t2"."id" IS DISTINCT
            FROM
              (
                SELECT
                  "t2"."id"
                FROM
                  "t3" AS "t2"
                LIMIT
                  1
                OFFSET
                  + ?
              )
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) > + ? THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
              concat (char(1), '0[[', "t2"."id", ']]', char(2))
            FROM
              "t3" AS "t2"
            LIMIT
              + ?
            OFFSET
              0
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          (
            SELECT
              concat (char(1), '0[[', "t2"."id", ']]', char(2))
            FROM
              "t3" AS "t2"
            LIMIT
              + ?
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (char(1), '0[[', "t2"."id", ']]', char(2))
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
                      + ?
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ),
        '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
