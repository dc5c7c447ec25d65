SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || '],"pageInfo":{"hasNextPage":' || CASE
          WHEN count(*) = + $1::bigint
          AND EXISTS (
            SELECT
              1
            FROM
              "customer" AS "t7"
            ORDER BY
              ("t7"."id" COLLATE "C")
            LIMIT
              1
            OFFSET
              + $2::bigint
          ) THEN 'true'
          ELSE 'false'
        END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t8"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t7"."id" AS "id"
                FROM
                  "customer" AS "t7"
                ORDER BY
                  ("t7"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t8"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t8"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t7"."id" AS "id"
                FROM
                  "customer" AS "t7"
                ORDER BY
                  ("t7"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t8"
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t8"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t9".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t7"."id" AS "id"
                    FROM
                      "customer" AS "t7"
                    ORDER BY
                      ("t7"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t9"
              ) AS "t8"
            ORDER BY
              "t8"."number" DESC
            LIMIT
              1
          ),
          'null'
        ) || '}}'
      )
    FROM
      (
        SELECT
          (
            '{"id":' || coalesce('"cus_' || "t1"."id" || '"', chr(3)) || ',"orders":' || (
              WITH
                "t5" AS MATERIALIZED (
                  SELECT
                    "t6".*,
                    row_number() OVER () AS "number_"
                  FROM
                    (
                      SELECT
                        "t3"."id" AS "id",
                        "t3"."number" AS "number"
                      FROM
                        "order" AS "t3"
                      WHERE
                        "t3"."customer_id" = "t1"."id"
                      ORDER BY
                        ("t3"."id" COLLATE "C") DESC
                      LIMIT
                        + $7::bigint
                    ) AS "t6"
                )
              SELECT
                (
                  '{"nodes":[' || coalesce(
                    string_agg(
                      (
                        '{"id":' || coalesce('"ord_' || "t4"."id" || '"', chr(3)) || ',"number":' || coalesce(to_json("t4"."number")::text, chr(3)) || '}'
                      ),
                      ','
                      ORDER BY
                        "t4"."number_" DESC
                    ),
                    ''
                  ) || '],"pageInfo":{"hasNextPage":false,"hasPreviousPage":' || CASE
                    WHEN count(*) = + $8::bigint
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "t5" AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $9::bigint
                    ) THEN 'true'
                    ELSE 'false'
                  END || ',"startCursor":' || coalesce(
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
                            "t5"
                          LIMIT
                            + $10::bigint
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        + $11::bigint
                    ),
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
                            "t5"
                          LIMIT
                            + $12::bigint
                        ) AS "t4"
                      ORDER BY
                        "t4"."number_" DESC
                      LIMIT
                        1
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
                            "t5"
                          LIMIT
                            + $13::bigint
                        ) AS "t4"
                      LIMIT
                        1
                      OFFSET
                        0
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
                    + $14::bigint
                ) AS "t4"
            ) || '}'
          ) AS "item"
        FROM
          "customer" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $15::bigint
      ) AS "t2"
  ) AS "r0"
