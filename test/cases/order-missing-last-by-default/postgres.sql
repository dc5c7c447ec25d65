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
          ("t1"."parent_id" COLLATE "C") DESC NULLS LAST,
          "t1"."position",
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('cat_' || "t2"."id")::text)::text,
                chr(3)
              ) || ',"position":' || coalesce(
                CASE
                  WHEN "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."position" | 0)::text
                END,
                chr(3)
              ) || ',"parentId":' || coalesce(
                to_json(('cat_' || "t2"."parent_id")::text)::text,
                'null'
              ) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t2"."id" IS DISTINCT FROM (
                SELECT
                  "t2"."id"
                FROM
                  "t3" AS "t2"
                LIMIT
                  1
                OFFSET
                  + $2::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $3::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || CASE
                  WHEN "t2"."parent_id" IS NULL THEN 'null'
                  ELSE (
                    '[' || coalesce(to_json("t2"."parent_id"::text)::text, 'null') || ']'
                  )
                END || ',' || coalesce(
                  CASE
                    WHEN "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."position" | 0)::text
                  END,
                  '["text",' || to_json("t2"."position"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $4::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || CASE
                  WHEN "t2"."parent_id" IS NULL THEN 'null'
                  ELSE (
                    '[' || coalesce(to_json("t2"."parent_id"::text)::text, 'null') || ']'
                  )
                END || ',' || coalesce(
                  CASE
                    WHEN "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."position" | 0)::text
                  END,
                  '["text",' || to_json("t2"."position"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t3" AS "t2"
            LIMIT
              + $5::bigint
            OFFSET
              + $6::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || CASE
                  WHEN "t2"."parent_id" IS NULL THEN 'null'
                  ELSE (
                    '[' || coalesce(to_json("t2"."parent_id"::text)::text, 'null') || ']'
                  )
                END || ',' || coalesce(
                  CASE
                    WHEN "t2"."position" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."position" | 0)::text
                  END,
                  '["text",' || to_json("t2"."position"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(to_json("t2"."id"::text)::text, 'null') || ']]' || chr(2)
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
                      + $7::bigint
                  ) AS "t4"
              ) AS "t2"
            ORDER BY
              "t2"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t3" AS "t2"
  ) AS "r0"
