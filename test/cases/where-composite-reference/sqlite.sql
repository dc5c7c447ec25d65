SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."place_hall" AS "place_hall",
          "t1"."place_number" AS "place_number"
        FROM
          "exhibit" AS "t1"
        WHERE
          ("t1"."place_hall", "t1"."place_number") IN (
            SELECT
              json_extract("value", '$[0]'),
              json_extract("value", '$[1]')
            FROM
              json_each(?)
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
              coalesce(
                '{"id":"exhibit_' || CASE
                  WHEN typeof("t2"."id") = 'integer'
                  AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                END || '","placeId":',
                '{"id":' || char(3) || ',"placeId":'
              ),
              coalesce(
                CASE typeof(
                    (
                      'place_' || replace(
                        replace("t2"."place_hall", '%', '%25'),
                        '~',
                        '%7E'
                      ) || '~' || CASE
                        WHEN typeof("t2"."place_number") = 'integer'
                        AND "t2"."place_number" BETWEEN -2147483648 AND 2147483647 THEN "t2"."place_number"
                      END
                    )
                  )
                  WHEN 'text' THEN json_quote(
                    (
                      'place_' || replace(
                        replace("t2"."place_hall", '%', '%25'),
                        '~',
                        '%7E'
                      ) || '~' || CASE
                        WHEN typeof("t2"."place_number") = 'integer'
                        AND "t2"."place_number" BETWEEN -2147483648 AND 2147483647 THEN "t2"."place_number"
                      END
                    )
                  )
                END,
                'null'
              ),
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
