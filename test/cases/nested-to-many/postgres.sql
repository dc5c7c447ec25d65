SELECT
  (
    WITH
      "t7" AS MATERIALIZED (
        SELECT
          "t1"."id" AS "id"
        FROM
          "order" AS "t1"
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
              '{"id":' || coalesce('"ord_' || "t2"."id" || '"', chr(3)) || ',"lines":' || (
                WITH
                  "t5" AS MATERIALIZED (
                    SELECT
                      "t3"."order_id" AS "order_id",
                      "t3"."position" AS "position",
                      "t3"."quantity" AS "quantity"
                    FROM
                      "order_line" AS "t3"
                    WHERE
                      "t3"."order_id" = "t2"."id"
                    ORDER BY
                      ("t3"."order_id" COLLATE "C"),
                      "t3"."position"
                    LIMIT
                      + $2::bigint
                  )
                SELECT
                  (
                    '{"nodes":[' || coalesce(
                      string_agg(
                        (
                          '{"id":' || coalesce(
                            to_json(
                              'line_' || replace(replace("t4"."order_id", '%', '%25'), '~', '%7E') || '~' || "t4"."position"
                            )::text,
                            chr(3)
                          ) || ',"quantity":' || coalesce("t4"."quantity"::text, chr(3)) || '}'
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
                          "t5" AS "t4"
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
                            chr(1) || '0[[' || coalesce(to_json("t4"."order_id")::text, chr(3)) || ',' || coalesce("t4"."position"::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t5"
                            LIMIT
                              + $5::bigint
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
                            chr(1) || '0[[' || coalesce(to_json("t4"."order_id")::text, chr(3)) || ',' || coalesce("t4"."position"::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              *
                            FROM
                              "t5"
                            LIMIT
                              + $6::bigint
                          ) AS "t4"
                        LIMIT
                          1
                        OFFSET
                          + $7::bigint
                      ),
                      (
                        SELECT
                          (
                            chr(1) || '0[[' || coalesce(to_json("t4"."order_id")::text, chr(3)) || ',' || coalesce("t4"."position"::text, chr(3)) || ']]' || chr(2)
                          )
                        FROM
                          (
                            SELECT
                              "t6".*,
                              row_number() OVER () AS "number"
                            FROM
                              (
                                SELECT
                                  *
                                FROM
                                  "t5"
                                LIMIT
                                  + $8::bigint
                              ) AS "t6"
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
                      "t5"
                    LIMIT
                      + $9::bigint
                  ) AS "t4"
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
              "t7" AS "t2"
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
                  "t7"
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
                  "t7"
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
                  "t8".*,
                  row_number() OVER () AS "number_"
                FROM
                  (
                    SELECT
                      *
                    FROM
                      "t7"
                    LIMIT
                      + $15::bigint
                  ) AS "t8"
              ) AS "t2"
            ORDER BY
              "t2"."number_" DESC
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
          "t7"
        LIMIT
          + $16::bigint
      ) AS "t2"
  ) AS "r0"
