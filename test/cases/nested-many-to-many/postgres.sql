SELECT
  (
    WITH
      "t8" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "product" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $1::bigint
      )
    SELECT
      (
        '{"nodes":[' || coalesce(
          string_agg(
            (
              '{"id":' || coalesce('"prd_' || "t2"."id" || '"', chr(3)) || ',"tags":' || (
                WITH
                  "t6" AS MATERIALIZED (
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
                      ("t3"."name" COLLATE "C")
                    LIMIT
                      + $2::bigint
                  )
                SELECT
                  (
                    '{"nodes":[' || coalesce(
                      string_agg(
                        (
                          '{"id":' || coalesce(to_json('tag_' || "t5"."name")::text, chr(3)) || ',"featured":' || coalesce("t5"."featured"::text, chr(3)) || '}'
                        ),
                        ','
                      ),
                      ''
                    ) || '],"pageInfo":{"hasNextPage":' || CASE
                      WHEN count(*) = + $3::bigint
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          "t6" AS "t5"
                        LIMIT
                          1
                        OFFSET
                          + $4::bigint
                      ) THEN 'true'
                      ELSE 'false'
                    END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                      (
                        SELECT
                          (
                            chr(1) || '0[[' || coalesce(to_json("t5"."name")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t6"
                            LIMIT
                              + $5::bigint
                          ) AS "t5"
                        LIMIT
                          1
                        OFFSET
                          0
                      ),
                      'null'
                    ) || ',"endCursor":' || coalesce(
                      (
                        SELECT
                          (
                            chr(1) || '0[[' || coalesce(to_json("t5"."name")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t6"
                            LIMIT
                              + $6::bigint
                          ) AS "t5"
                        LIMIT
                          1
                        OFFSET
                          + $7::bigint
                      ),
                      (
                        SELECT
                          (
                            chr(1) || '0[[' || coalesce(to_json("t5"."name")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              "t7".*,
                              row_number() OVER () AS "number"
                            FROM
                              (
                                SELECT
                                  *
                                FROM
                                  "t6"
                                LIMIT
                                  + $8::bigint
                              ) AS "t7"
                          ) AS "t5"
                        ORDER BY
                          "t5"."number" DESC
                        LIMIT
                          1
                      ),
                      'null'
                    ) || '}}'
                  )
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t6"
                    LIMIT
                      + $9::bigint
                  ) AS "t5"
              ) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $10::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t8" AS "t2"
            LIMIT
              1
            OFFSET
              + $11::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t8"
                LIMIT
                  + $12::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              0
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t8"
                LIMIT
                  + $13::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $14::bigint
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t9".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t8"
                    LIMIT
                      + $15::bigint
                  ) AS "t9"
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
      (
        SELECT
          *
        FROM
          "t8"
        LIMIT
          + $16::bigint
      ) AS "t2"
  ) AS "r0"
