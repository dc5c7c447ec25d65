SELECT
  (
    WITH
      "t3" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "exhibit" AS "t1"
        WHERE
          (
            "t1"."floor" = ANY ($1::integer[])
            AND "t1"."visitors" > $2::bigint
          )
        ORDER BY
          "t1"."id"
        LIMIT
          + $3::bigint
      )
    SELECT
      (
        '{"aggregate":' || (
          SELECT
            (
              '{"count":' || "t6"."a1" || ',"sum":{"visitors":' || coalesce('"' || "t6"."a2" || '"', 'null') || ',"floor":' || CASE
                WHEN "t6"."a3" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t6"."a3" BETWEEN -9223372036854775808 AND 9223372036854775807 THEN '"' || "t6"."a3" || '"'
                  END,
                  chr(3)
                )
              END || '},"avg":{"visitors":' || CASE
                WHEN "t6"."a4" IS NULL THEN 'null'
                ELSE coalesce(
                  CASE
                    WHEN "t6"."a4" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN ("t6"."a4"::float8 + 0)::text
                  END,
                  chr(3)
                )
              END || '}}'
            )
          FROM
            (
              SELECT
                count(*) AS "a1",
                sum(("t5"."visitors" | 0)) AS "a2",
                sum(("t5"."floor" | 0)) AS "a3",
                sum(("t5"."visitors" | 0))::float8 / nullif(count("t5"."visitors"), 0) AS "a4"
              FROM
                "exhibit" AS "t5"
              WHERE
                (
                  "t5"."floor" = ANY ($4::integer[])
                  AND "t5"."visitors" > $5::bigint
                )
            ) AS "t6"
        ) || ',"nodes":[' || coalesce(
          string_agg(
            coalesce(
              '{"id":"exhibit_' || ("t2"."id" | 0) || '"}',
              '{"id":' || chr(3) || '}'
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
                  + $6::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $7::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(
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
              + $8::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(
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
              + $9::bigint
            OFFSET
              + $10::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(
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
                      + $11::bigint
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
