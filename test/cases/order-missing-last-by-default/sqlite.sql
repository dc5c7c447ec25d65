SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."position" AS "position",
          "t1"."parent_id" AS "parent_id"
        FROM
          "category" AS "t1"
        ORDER BY
          "t1"."parent_id" DESC,
          "t1"."position",
          "t1"."id"
        LIMIT
          + ?
      )
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            CASE
              WHEN (
                SELECT
                  bifold_columns (
                    '["category",["id","TEXT",0],["position","INTEGER",1],["parent_id","TEXT",0]]'
                  )
              ) THEN concat (
                '{"id":',
                coalesce(
                  CASE
                    WHEN ('cat_' || "t2"."id") IS NOT NULL THEN json_quote(('cat_' || "t2"."id"))
                  END,
                  char(3)
                ),
                ',"position":',
                CASE
                  WHEN "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                  ELSE char(3)
                END,
                ',"parentId":',
                coalesce(
                  CASE
                    WHEN ('cat_' || "t2"."parent_id") IS NOT NULL THEN json_quote(('cat_' || "t2"."parent_id"))
                  END,
                  'null'
                ),
                '}'
              )
              ELSE concat (
                '{"id":',
                coalesce(
                  CASE typeof(('cat_' || "t2"."id"))
                    WHEN 'text' THEN json_quote(('cat_' || "t2"."id"))
                  END,
                  char(3)
                ),
                ',"position":',
                coalesce(
                  CASE
                    WHEN typeof("t2"."position") = 'integer'
                    AND "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                  END,
                  char(3)
                ),
                ',"parentId":',
                coalesce(
                  CASE typeof(('cat_' || "t2"."parent_id"))
                    WHEN 'text' THEN json_quote(('cat_' || "t2"."parent_id"))
                  END,
                  'null'
                ),
                '}'
              )
            END,
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
                '0[',
                CASE
                  WHEN "t2"."parent_id" IS NULL THEN 'null'
                  ELSE concat (
                    '[',
                    coalesce(
                      CASE typeof("t2"."parent_id")
                        WHEN 'text' THEN json_quote("t2"."parent_id")
                      END,
                      CASE
                        WHEN "t2"."parent_id" IS NOT NULL THEN json_array(
                          typeof("t2"."parent_id"),
                          CASE typeof("t2"."parent_id")
                            WHEN 'blob' THEN hex("t2"."parent_id")
                            WHEN 'real' THEN format('%!.17g', "t2"."parent_id")
                            ELSE CAST("t2"."parent_id" AS TEXT)
                          END
                        )
                      END,
                      'null'
                    ),
                    ']'
                  )
                END,
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t2"."position") = 'integer'
                    AND "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                  END,
                  CASE
                    WHEN "t2"."position" IS NOT NULL THEN json_array(
                      typeof("t2"."position"),
                      CASE typeof("t2"."position")
                        WHEN 'blob' THEN hex("t2"."position")
                        WHEN 'real' THEN format('%!.17g', "t2"."position")
                        ELSE CAST("t2"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
                '0[',
                CASE
                  WHEN "t2"."parent_id" IS NULL THEN 'null'
                  ELSE concat (
                    '[',
                    coalesce(
                      CASE typeof("t2"."parent_id")
                        WHEN 'text' THEN json_quote("t2"."parent_id")
                      END,
                      CASE
                        WHEN "t2"."parent_id" IS NOT NULL THEN json_array(
                          typeof("t2"."parent_id"),
                          CASE typeof("t2"."parent_id")
                            WHEN 'blob' THEN hex("t2"."parent_id")
                            WHEN 'real' THEN format('%!.17g', "t2"."parent_id")
                            ELSE CAST("t2"."parent_id" AS TEXT)
                          END
                        )
                      END,
                      'null'
                    ),
                    ']'
                  )
                END,
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t2"."position") = 'integer'
                    AND "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                  END,
                  CASE
                    WHEN "t2"."position" IS NOT NULL THEN json_array(
                      typeof("t2"."position"),
                      CASE typeof("t2"."position")
                        WHEN 'blob' THEN hex("t2"."position")
                        WHEN 'real' THEN format('%!.17g', "t2"."position")
                        ELSE CAST("t2"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
                '0[',
                CASE
                  WHEN "t2"."parent_id" IS NULL THEN 'null'
                  ELSE concat (
                    '[',
                    coalesce(
                      CASE typeof("t2"."parent_id")
                        WHEN 'text' THEN json_quote("t2"."parent_id")
                      END,
                      CASE
                        WHEN "t2"."parent_id" IS NOT NULL THEN json_array(
                          typeof("t2"."parent_id"),
                          CASE typeof("t2"."parent_id")
                            WHEN 'blob' THEN hex("t2"."parent_id")
                            WHEN 'real' THEN format('%!.17g', "t2"."parent_id")
                            ELSE CAST("t2"."parent_id" AS TEXT)
                          END
                        )
                      END,
                      'null'
                    ),
                    ']'
                  )
                END,
                ',',
                coalesce(
                  CASE
                    WHEN typeof("t2"."position") = 'integer'
                    AND "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN "t2"."position"
                  END,
                  CASE
                    WHEN "t2"."position" IS NOT NULL THEN json_array(
                      typeof("t2"."position"),
                      CASE typeof("t2"."position")
                        WHEN 'blob' THEN hex("t2"."position")
                        WHEN 'real' THEN format('%!.17g', "t2"."position")
                        ELSE CAST("t2"."position" AS TEXT)
                      END
                    )
                  END,
                  'null'
                ),
                ',[',
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
