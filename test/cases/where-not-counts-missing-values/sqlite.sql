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
              '{',
              CASE
                WHEN (
                  SELECT
                    bifold_columns (
                      '["exhibit",["id","INTEGER",0],["mood","TEXT",0],["height","REAL",0]]'
                    )
                ) THEN concat (
                  coalesce(
                    '"id":"exhibit_' || CASE
                      WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                    END || '","mood":',
                    '"id":' || char(3) || ',"mood":'
                  ),
                  CASE
                    WHEN "t2"."mood" IS NULL THEN 'null'
                    ELSE coalesce(
                      CASE
                        WHEN "t2"."mood" IN ('calm', 'loud', 'odd') THEN json_quote("t2"."mood")
                      END,
                      char(3)
                    )
                  END,
                  ',"height":',
                  CASE
                    WHEN "t2"."height" IS NULL THEN 'null'
                    ELSE coalesce(
                      CASE
                        WHEN typeof("t2"."height") IN ('real', 'integer')
                        AND "t2"."height" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE "t2"."height"
                          WHEN CAST(format('%.15g', "t2"."height") AS REAL) THEN format('%.15g', "t2"."height")
                          WHEN CAST(format('%.16g', "t2"."height") AS REAL) THEN format('%.16g', "t2"."height")
                          ELSE format('%!.17g', "t2"."height")
                        END
                      END,
                      char(3)
                    )
                  END
                )
                ELSE concat (
                  coalesce(
                    '"id":"exhibit_' || CASE
                      WHEN typeof("t2"."id") = 'integer'
                      AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                    END || '","mood":',
                    '"id":' || char(3) || ',"mood":'
                  ),
                  CASE
                    WHEN "t2"."mood" IS NULL THEN 'null'
                    ELSE coalesce(
                      CASE
                        WHEN "t2"."mood" IN ('calm', 'loud', 'odd') THEN json_quote("t2"."mood")
                      END,
                      char(3)
                    )
                  END,
                  ',"height":',
                  CASE
                    WHEN "t2"."height" IS NULL THEN 'null'
                    ELSE coalesce(
                      CASE
                        WHEN typeof("t2"."height") IN ('real', 'integer')
                        AND "t2"."height" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE "t2"."height"
                          WHEN CAST(format('%.15g', "t2"."height") AS REAL) THEN format('%.15g', "t2"."height")
                          WHEN CAST(format('%.16g', "t2"."height") AS REAL) THEN format('%.16g', "t2"."height")
                          ELSE format('%!.17g', "t2"."height")
                        END
                      END,
                      char(3)
                    )
                  END
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
              concat (
                char(1),
                '0[[',
                coalesce(
                  CASE
                    WHEN typeof("t2"."id") = 'integer'
                    AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
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
              concat (
                char(1),
                '0[[',
                coalesce(
                  CASE
                    WHEN typeof("t2"."id") = 'integer'
                    AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + ?
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                coalesce(
                  CASE
                    WHEN typeof("t2"."id") = 'integer'
                    AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                  END,
                  CASE
                    WHEN "t2"."id" IS NOT NULL THEN json_array(
                      typeof("t2"."id"),
                      CASE typeof("t2"."id")
                        WHEN 'blob' THEN hex("t2"."id")
                        WHEN 'real' THEN format('%!.17g', "t2"."id")
                        ELSE CAST("t2"."id" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ']]',
                char(2)
              )
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
