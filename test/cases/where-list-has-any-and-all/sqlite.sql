SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."colours" AS "colours"
        FROM
          "product" AS "t1"
        WHERE
          (
            EXISTS (
              SELECT
                1
              FROM
                json_each("t1"."colours") AS item
              WHERE
                item."value" IN (
                  SELECT
                    "value"
                  FROM
                    json_each(?)
                )
            )
            AND (
              "t1"."colours" IS NOT NULL
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  json_each(?) AS wanted
                WHERE
                  wanted."value" NOT IN (
                    SELECT
                      "value"
                    FROM
                      json_each("t1"."colours")
                  )
              )
            )
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
              '{"id":',
              coalesce(
                CASE typeof(('prd_' || "t2"."id"))
                  WHEN 'text' THEN json_quote(('prd_' || "t2"."id"))
                END,
                char(3)
              ),
              ',"colours":',
              coalesce(
                CASE
                  WHEN json_valid("t2"."colours")
                  AND json_type("t2"."colours") = 'array'
                  AND NOT EXISTS (
                    SELECT
                      1
                    FROM
                      json_each("t2"."colours") AS item
                    WHERE
                      item."type" NOT IN ('text')
                  ) THEN "t2"."colours"
                END,
                char(3)
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
        '],"totalCount":',
        (
          SELECT
            count(*)
          FROM
            "product" AS "t5"
          WHERE
            (
              EXISTS (
                SELECT
                  1
                FROM
                  json_each("t5"."colours") AS item
                WHERE
                  item."value" IN (
                    SELECT
                      "value"
                    FROM
                      json_each(?)
                  )
              )
              AND (
                "t5"."colours" IS NOT NULL
                AND NOT EXISTS (
                  SELECT
                    1
                  FROM
                    json_each(?) AS wanted
                  WHERE
                    wanted."value" NOT IN (
                      SELECT
                        "value"
                      FROM
                        json_each("t5"."colours")
                    )
                )
              )
            )
        ),
        ',"pageInfo":{"hasNextPage":',
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
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
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
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
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
                  CASE typeof("t2"."id")
                    WHEN 'text' THEN json_quote("t2"."id")
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
