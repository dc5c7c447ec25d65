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
              "product" AS "t3"
            WHERE
              (
                "t3"."price" < $2::numeric
                AND "t3"."price" >= $3::numeric
              )
            ORDER BY
              "t3"."price",
              ("t3"."id" COLLATE "C")
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
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN abs("t4"."price") < 'Infinity' THEN '"' || round("t4"."price", 2) || '"'
                  END,
                  chr(3)
                ) || ',[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."price" AS "price",
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                WHERE
                  (
                    "t3"."price" < $5::numeric
                    AND "t3"."price" >= $6::numeric
                  )
                ORDER BY
                  "t3"."price",
                  ("t3"."id" COLLATE "C")
                LIMIT
                  + $7::bigint
                OFFSET
                  0
              ) AS "t4"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN abs("t4"."price") < 'Infinity' THEN '"' || round("t4"."price", 2) || '"'
                  END,
                  chr(3)
                ) || ',[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t3"."price" AS "price",
                  "t3"."id" AS "id"
                FROM
                  "product" AS "t3"
                WHERE
                  (
                    "t3"."price" < $8::numeric
                    AND "t3"."price" >= $9::numeric
                  )
                ORDER BY
                  "t3"."price",
                  ("t3"."id" COLLATE "C")
                LIMIT
                  + $10::bigint
                OFFSET
                  + $11::bigint
              ) AS "t4"
          ),
          (
            SELECT
              (
                chr(1) || '0[' || coalesce(
                  CASE
                    WHEN abs("t4"."price") < 'Infinity' THEN '"' || round("t4"."price", 2) || '"'
                  END,
                  chr(3)
                ) || ',[' || coalesce(to_json("t4"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t5".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t3"."price" AS "price",
                      "t3"."id" AS "id"
                    FROM
                      "product" AS "t3"
                    WHERE
                      (
                        "t3"."price" < $12::numeric
                        AND "t3"."price" >= $13::numeric
                      )
                    ORDER BY
                      "t3"."price",
                      ("t3"."id" COLLATE "C")
                    LIMIT
                      + $14::bigint
                  ) AS "t5"
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
          (
            '{"id":' || coalesce('"prd_' || "t1"."id" || '"', chr(3)) || ',"price":' || coalesce(
              CASE
                WHEN abs("t1"."price") < 'Infinity' THEN '"' || round("t1"."price", 2) || '"'
              END,
              chr(3)
            ) || '}'
          ) AS "item"
        FROM
          "product" AS "t1"
        WHERE
          (
            "t1"."price" < $15::numeric
            AND "t1"."price" >= $16::numeric
          )
        ORDER BY
          "t1"."price",
          ("t1"."id" COLLATE "C")
        LIMIT
          + $17::bigint
      ) AS "t2"
  ) AS "r0"
