SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name"
        FROM
          "room" AS "t1"
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
              '{"id":"room_',
              "t2"."id",
              '","name":',
              json_quote("t2"."name"),
              ',"guard":',
              CASE
                WHEN "t3"."room_id" IS NOT NULL THEN concat (
                  '{"id":"guard_',
                  "t3"."id",
                  '","name":',
                  json_quote("t3"."name"),
                  '}'
                )
                ELSE 'null'
              END,
              '}'
            ),
            ','
          ),
          ''
        ),
        '],"pageInfo":{"hasNextPage":',
        CASE
          WHEN count(*) = + ?
          AND EXISTS (
            SELECT
              1
            FROM
              "t4" AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ) THEN 'true'
          ELSE 'false'
        END,
        ',"hasPreviousPage":false,"startCursor":',
        coalesce(
          (
            SELECT
              concat (
                char(1),
                '0[[',
                '"' || "t2"."id" || '"',
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
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
                '"' || "t2"."id" || '"',
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t4"
                LIMIT
                  + ?
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + ?
          ),
          (
            SELECT
              concat (
                char(1),
                '0[[',
                '"' || "t2"."id" || '"',
                ']]',
                char(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t4"
                    LIMIT
                      + ?
                  ) AS "t5"
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
      (
        SELECT
          *
        FROM
          "t4"
        LIMIT
          + ?
      ) AS "t2"
      LEFT JOIN "guard" AS "t3" ON "t3"."room_id" = "t2"."id"
  ) AS "r0"
