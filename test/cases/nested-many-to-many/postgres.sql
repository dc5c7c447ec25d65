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
              "product" AS "t8"
            ORDER BY
              ("t8"."id" COLLATE "C")
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
                chr(1) || '1[[' || coalesce(to_json("t9"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t8"."id" AS "id"
                FROM
                  "product" AS "t8"
                ORDER BY
                  ("t8"."id" COLLATE "C")
                LIMIT
                  + $3::bigint
                OFFSET
                  0
              ) AS "t9"
          ),
          'null'
        ) || ',"endCursor":' || coalesce(
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t9"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t8"."id" AS "id"
                FROM
                  "product" AS "t8"
                ORDER BY
                  ("t8"."id" COLLATE "C")
                LIMIT
                  + $4::bigint
                OFFSET
                  + $5::bigint
              ) AS "t9"
          ),
          (
            SELECT
              (
                chr(1) || '1[[' || coalesce(to_json("t9"."id")::text, chr(3)) || ']]' || chr(2)
              )
            FROM
              (
                SELECT
                  "t10".*,
                  row_number() OVER () AS "number"
                FROM
                  (
                    SELECT
                      "t8"."id" AS "id"
                    FROM
                      "product" AS "t8"
                    ORDER BY
                      ("t8"."id" COLLATE "C")
                    LIMIT
                      + $6::bigint
                  ) AS "t10"
              ) AS "t9"
            ORDER BY
              "t9"."number" DESC
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
            '{"id":' || coalesce('"prd_' || "t1"."id" || '"', chr(3)) || ',"tags":' || (
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
                        "t4"."product_id" = "t1"."id"
                    )
                  ORDER BY
                    ("t3"."name" COLLATE "C")
                  LIMIT
                    + $7::bigint
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
                    WHEN count(*) = + $8::bigint
                    AND EXISTS (
                      SELECT
                        1
                      FROM
                        "t6" AS "t5"
                      LIMIT
                        1
                      OFFSET
                        + $9::bigint
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
                            + $10::bigint
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
                            + $11::bigint
                        ) AS "t5"
                      LIMIT
                        1
                      OFFSET
                        + $12::bigint
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
                                + $13::bigint
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
                    + $14::bigint
                ) AS "t5"
            ) || '}'
          ) AS "item"
        FROM
          "product" AS "t1"
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          + $15::bigint
      ) AS "t2"
  ) AS "r0"
