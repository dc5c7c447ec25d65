SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."value" AS "value"
        FROM
          "exhibit" AS "t1"
        ORDER BY
          "t1"."value" DESC NULLS LAST,
          "t1"."id"
        LIMIT
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              coalesce(
                '{"id":"exhibit_' || ("t2"."id" | 0) || '","value":',
                '{"id":' || chr(3) || ',"value":'
              ) || CASE
                WHEN "t2"."value" IS NULL THEN 'null'
                ELSE coalesce(
                  '"' || CASE
                    WHEN scale("t2"."value") IS NOT NULL THEN round("t2"."value", 4)
                  END || '"',
                  chr(3)
                )
              END || '}'
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
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."value") IS NOT NULL THEN round("t2"."value", 4)
                  END || '"',
                  '["text",' || to_json("t2"."value"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(
                  CASE
                    WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."id" | 0)::text
                  END,
                  '["text",' || to_json("t2"."id"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
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
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."value") IS NOT NULL THEN round("t2"."value", 4)
                  END || '"',
                  '["text",' || to_json("t2"."value"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(
                  CASE
                    WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."id" | 0)::text
                  END,
                  '["text",' || to_json("t2"."id"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
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
                chr(1) || '0[' || coalesce(
                  '"' || CASE
                    WHEN scale("t2"."value") IS NOT NULL THEN round("t2"."value", 4)
                  END || '"',
                  '["text",' || to_json("t2"."value"::text)::text || ']',
                  'null'
                ) || ',[' || coalesce(
                  CASE
                    WHEN "t2"."id" BETWEEN -2147483648 AND 2147483647 THEN ("t2"."id" | 0)::text
                  END,
                  '["text",' || to_json("t2"."id"::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
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
