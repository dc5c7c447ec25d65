SELECT
  (
    WITH
      "t4" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."slug" AS "slug"
        FROM
          "product" AS "t1"
        WHERE
          (
            "t1"."price" = ANY ($1::numeric[])
            AND EXISTS (
              SELECT
                1
              FROM
                "category" AS "t2"
              WHERE
                "t2"."id" = "t1"."category_id"
                AND starts_with(("t2"."slug" COLLATE "C"), $2::text)
            )
          )
        ORDER BY
          ("t1"."slug" COLLATE "C") DESC,
          ("t1"."id" COLLATE "C")
        LIMIT
          + $3::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce(
                to_json(('prd_' || "t3"."id")::text)::text,
                chr(3)
              ) || ',"slug":' || coalesce(to_json("t3"."slug"::text)::text, chr(3)) || '}'
            ),
            ','
          ) FILTER (
            WHERE
              "t3"."id" IS DISTINCT FROM (
                SELECT
                  "t3"."id"
                FROM
                  "t4" AS "t3"
                LIMIT
                  1
                OFFSET
                  + $4::bigint
              )
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) > + $5::bigint THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."slug"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t3"
            LIMIT
              + $6::bigint
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."slug"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
              )
            FROM
              "t4" AS "t3"
            LIMIT
              + $7::bigint
            OFFSET
              + $8::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(to_json("t3"."slug"::text)::text, 'null') || ',[' || coalesce(to_json("t3"."id"::text)::text, 'null') || ']]' || chr(2)
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
                      + $9::bigint
                  ) AS "t5"
              ) AS "t3"
            ORDER BY
              "t3"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      "t4" AS "t3"
  ) AS "r0"
