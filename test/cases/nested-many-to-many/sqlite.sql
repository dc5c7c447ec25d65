SELECT
  (
    SELECT
      concat (
        '{"nodes":[',
        coalesce(
          string_agg (
            concat (
              '{"id":"prd_',
              "t2"."id",
              '","tags":',
              (
                SELECT
                  concat (
                    '{"nodes":[',
                    coalesce(
                      string_agg (
                        concat (
                          '{"id":',
                          json_quote('tag_' || "t5"."name"),
                          ',"featured":',
                          CASE "t5"."featured"
                            WHEN 1 THEN 'true'
                            WHEN 0 THEN 'false'
                          END,
                          '}'
                        ),
                        ','
                      ) FILTER (
                        WHERE
                          "t5"."number" <= ?
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
                      max(
                        concat (
                          char(1),
                          '0[[',
                          json_quote("t5"."name"),
                          ']]',
                          char(2)
                        )
                      ) FILTER (
                        WHERE
                          "t5"."number" = 1
                          AND "t5"."number" <= ?
                      ),
                      'null'
                    ),
                    ',"endCursor":',
                    coalesce(
                      max(
                        concat (
                          char(1),
                          '0[[',
                          json_quote("t5"."name"),
                          ']]',
                          char(2)
                        )
                      ) FILTER (
                        WHERE
                          "t5"."number" = CASE
                            WHEN "t5"."size" > ? THEN ?
                            ELSE "t5"."size"
                          END
                      ),
                      'null'
                    ),
                    '}}'
                  )
                FROM
                  (
                    SELECT
                      "t6".*,
                      row_number() OVER () AS "number",
                      count(*) OVER () AS "size"
                    FROM
                      (
                        SELECT
                          "t3"."name" AS "name",
                          "t3"."featured" AS "featured"
                        FROM
                          "tag" AS "t3"
                        WHERE
                          "t3"."name" IN (
                            SELECT
                              "t4"."tag_id"
                            FROM
                              "product_tag" AS "t4"
                            WHERE
                              "t4"."product_id" = "t2"."id"
                          )
                        ORDER BY
                          "t3"."name"
                        LIMIT
                          ?
                      ) AS "t6"
                  ) AS "t5"
              ),
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
          max(
            concat (
              char(1),
              '1[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
            WHERE
              "t2"."number" = 1
              AND "t2"."number" <= ?
          ),
          'null'
        ),
        ',"endCursor":',
        coalesce(
          max(
            concat (
              char(1),
              '1[[',
              json_quote("t2"."id"),
              ']]',
              char(2)
            )
          ) FILTER (
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
          "t7".*,
          row_number() OVER () AS "number",
          count(*) OVER () AS "size"
        FROM
          (
            SELECT
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            ORDER BY
              "t1"."id"
            LIMIT
              ?
          ) AS "t7"
      ) AS "t2"
  ) AS "r0"
