SELECT
  (
    WITH
      "t12" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id",
          "t1"."name" AS "name"
        FROM
          "category" AS "t1"
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
              '{"id":' || coalesce('"cat_' || "t2"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t2"."name")::text, chr(3)) || ',"children":' || (
                WITH
                  "t10" AS MATERIALIZED (
                    SELECT
                      "t3"."id" AS "id",
                      "t3"."name" AS "name"
                    FROM
                      "category" AS "t3"
                    WHERE
                      "t3"."parent_id" = "t2"."id"
                    ORDER BY
                      ("t3"."id" COLLATE "C")
                    LIMIT
                      + $2::bigint
                  )
                SELECT
                  (
                    '{"nodes":[' || coalesce(
                      string_agg(
                        (
                          '{"id":' || coalesce('"cat_' || "t4"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t4"."name")::text, chr(3)) || ',"children":' || (
                            WITH
                              "t8" AS MATERIALIZED (
                                SELECT
                                  "t9".*,
                                  row_number() OVER () AS "number"
                                FROM
                                  (
                                    SELECT
                                      "t5"."id" AS "id",
                                      "t5"."name" AS "name",
                                      "t5"."parent_id" AS "parent_id"
                                    FROM
                                      "category" AS "t5"
                                    WHERE
                                      "t5"."parent_id" = "t4"."id"
                                    ORDER BY
                                      ("t5"."id" COLLATE "C")
                                    LIMIT
                                      + $3::bigint
                                  ) AS "t9"
                              )
                            SELECT
                              (
                                '{"nodes":[' || coalesce(
                                  string_agg(
                                    (
                                      '{"id":' || coalesce('"cat_' || "t6"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t6"."name")::text, chr(3)) || ',"parent":' || CASE
                                        WHEN "t7"."id" IS NOT NULL THEN (
                                          '{"id":' || coalesce('"cat_' || "t7"."id" || '"', chr(3)) || ',"name":' || coalesce(to_json("t7"."name")::text, chr(3)) || '}'
                                        )
                                        ELSE 'null'
                                      END || '}'
                                    ),
                                    ','
                                    ORDER BY
                                      "t6"."number"
                                  ),
                                  ''
                                ) || '],"pageInfo":{"hasNextPage":' || CASE
                                  WHEN count(*) = + $4::bigint
                                  AND EXISTS (
                                    SELECT
                                      1
                                    FROM
                                      "t8" AS "t6"
                                    LIMIT
                                      1
                                    OFFSET
                                      + $5::bigint
                                  ) THEN 'true'
                                  ELSE 'false'
                                END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                                  (
                                    SELECT
                                      (
                                        chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          *
                                        FROM
                                          "t8"
                                        LIMIT
                                          + $6::bigint
                                      ) AS "t6"
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
                                        chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          *
                                        FROM
                                          "t8"
                                        LIMIT
                                          + $7::bigint
                                      ) AS "t6"
                                    LIMIT
                                      1
                                    OFFSET
                                      + $8::bigint
                                  ),
                                  (
                                    SELECT
                                      (
                                        chr(1) || '0[[' || coalesce(to_json("t6"."id")::text, chr(3)) || ']]' || chr(2)
                                      )
                                    FROM
                                      (
                                        SELECT
                                          *
                                        FROM
                                          "t8"
                                        LIMIT
                                          + $9::bigint
                                      ) AS "t6"
                                    ORDER BY
                                      "t6"."number" DESC
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
                                  + $10::bigint
                              ) AS "t6"
                              LEFT JOIN "category" AS "t7" ON "t7"."id" = "t6"."parent_id"
                          ) || '}'
                        ),
                        ','
                      ),
                      ''
                    ) || '],"pageInfo":{"hasNextPage":' || CASE
                      WHEN count(*) = + $11::bigint
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          "t10" AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $12::bigint
                      ) THEN 'true'
                      ELSE 'false'
                    END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                      (
                        SELECT
                          (
                            chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t10"
                            LIMIT
                              + $13::bigint
                          ) AS "t4"
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
                            chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t10"
                            LIMIT
                              + $14::bigint
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $15::bigint
                      ),
                      (
                        SELECT
                          (
                            chr(1) || '0[[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              "t11".*,
                              row_number() OVER () AS "number"
                            FROM
                              (
                                SELECT
                                  *
                                FROM
                                  "t10"
                                LIMIT
                                  + $16::bigint
                              ) AS "t11"
                          ) AS "t4"
                        ORDER BY
                          "t4"."number" DESC
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
                      "t10"
                    LIMIT
                      + $17::bigint
                  ) AS "t4"
              ) || '}'
            ),
            ','
          ),
          ''
        ) || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $18::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "t12" AS "t2"
            LIMIT
              1
            OFFSET
              + $19::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t12"
                LIMIT
                  + $20::bigint
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
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  *
                FROM
                  "t12"
                LIMIT
                  + $21::bigint
              ) AS "t2"
            LIMIT
              1
            OFFSET
              + $22::bigint
          ),
          (
            SELECT
              (
                chr(1) || '0[[' || coalesce(to_json("t2"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t13".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t12"
                    LIMIT
                      + $23::bigint
                  ) AS "t13"
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
          "t12"
        LIMIT
          + $24::bigint
      ) AS "t2"
  ) AS "r0"
