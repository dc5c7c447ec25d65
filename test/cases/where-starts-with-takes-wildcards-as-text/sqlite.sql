SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."title" AS "title",
          "t1"."subtitle" AS "subtitle"
        FROM
          "exhibit" AS "t1"
        WHERE
          (
            substr("t1"."title", 1, length(?)) = ?
            OR (
              ? = ''
              AND "t1"."subtitle" IS NOT NULL
              OR substr("t1"."subtitle", - length(?)) = ?
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
              '{',
              CASE
                WHEN (
                  SELECT
                    bifold_columns (
                      '["exhibit",["id","INTEGER",0],["title","TEXT",1],["subtitle","TEXT",0]]'
                    )
                ) THEN concat (
                  coalesce(
                    '"id":"exhibit_' || CASE
                      WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                    END || '","title":',
                    '"id":' || char(3) || ',"title":'
                  ),
                  json_quote("t2"."title"),
                  ',"subtitle":',
                  json_quote("t2"."subtitle")
                )
                ELSE concat (
                  coalesce(
                    '"id":"exhibit_' || CASE
                      WHEN typeof("t2"."id") = 'integer'
                      AND "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN "t2"."id"
                    END || '","title":',
                    '"id":' || char(3) || ',"title":'
                  ),
                  coalesce(
                    CASE typeof("t2"."title")
                      WHEN 'text' THEN json_quote("t2"."title")
                    END,
                    char(3)
                  ),
                  ',"subtitle":',
                  CASE
                    WHEN "t2"."subtitle" IS NULL THEN 'null'
                    ELSE coalesce(
                      CASE typeof("t2"."subtitle")
                        WHEN 'text' THEN json_quote("t2"."subtitle")
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
