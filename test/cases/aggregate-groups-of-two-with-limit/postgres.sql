SELECT
  (
    SELECT
      (
        '{"groups":' || (
          SELECT
            (
              '[' || coalesce(
                string_agg(
                  (
                    '{"key":{"active":' || coalesce(
                      (
                        "t4"."a1"
                        AND TRUE
                      )::text,
                      chr(3)
                    ) || ',"categoryId":' || coalesce(
                      to_json(('cat_' || "t4"."a2")::text)::text,
                      chr(3)
                    ) || '},"count":' || "t4"."a3" || ',"avg":{"weight":' || CASE
                      WHEN "t4"."a4" IS NULL THEN 'null'
                      ELSE coalesce(
                        CASE
                          WHEN (
                            CASE
                              WHEN ("t4"."a5" / "t4"."a6") IS NULL THEN (
                                CASE
                                  WHEN abs("t4"."a4") > "t4"."a6" * '5e-324'::float8 - abs("t4"."a4") THEN "t4"."a4" / "t4"."a6"
                                  ELSE 0
                                END
                              )
                              WHEN abs(("t4"."a5" / "t4"."a6")) < 9.7453140114e288::float8 THEN CASE
                                WHEN abs(
                                  ("t4"."a5" / "t4"."a6") * 18446744073709551616::float8
                                ) <= 1.7976931348623157e308 - abs(
                                  (
                                    CASE
                                      WHEN abs("t4"."a4") > "t4"."a6" * '5e-324'::float8 - abs("t4"."a4") THEN "t4"."a4" / "t4"."a6"
                                      ELSE 0
                                    END
                                  )
                                ) THEN ("t4"."a5" / "t4"."a6") * 18446744073709551616::float8 + (
                                  CASE
                                    WHEN abs("t4"."a4") > "t4"."a6" * '5e-324'::float8 - abs("t4"."a4") THEN "t4"."a4" / "t4"."a6"
                                    ELSE 0
                                  END
                                )
                              END
                            END
                          ) BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN (
                            (
                              CASE
                                WHEN ("t4"."a5" / "t4"."a6") IS NULL THEN (
                                  CASE
                                    WHEN abs("t4"."a4") > "t4"."a6" * '5e-324'::float8 - abs("t4"."a4") THEN "t4"."a4" / "t4"."a6"
                                    ELSE 0
                                  END
                                )
                                WHEN abs(("t4"."a5" / "t4"."a6")) < 9.7453140114e288::float8 THEN CASE
                                  WHEN abs(
                                    ("t4"."a5" / "t4"."a6") * 18446744073709551616::float8
                                  ) <= 1.7976931348623157e308 - abs(
                                    (
                                      CASE
                                        WHEN abs("t4"."a4") > "t4"."a6" * '5e-324'::float8 - abs("t4"."a4") THEN "t4"."a4" / "t4"."a6"
                                        ELSE 0
                                      END
                                    )
                                  ) THEN ("t4"."a5" / "t4"."a6") * 18446744073709551616::float8 + (
                                    CASE
                                      WHEN abs("t4"."a4") > "t4"."a6" * '5e-324'::float8 - abs("t4"."a4") THEN "t4"."a4" / "t4"."a6"
                                      ELSE 0
                                    END
                                  )
                                END
                              END
                            )::float8 + 0
                          )::text
                        END,
                        chr(3)
                      )
                    END || '}}'
                  ),
                  ','
                ),
                ''
              ) || ']'
            )
          FROM
            (
              SELECT
                "t3"."active" AS "a1",
                ("t3"."category_id" COLLATE "C") AS "a2",
                count(*) AS "a3",
                sum(
                  CASE
                    WHEN abs("t3"."weight"::float8) < 1e290::float8 THEN "t3"."weight"::float8
                    WHEN "t3"."weight"::float8 IS NOT NULL THEN 0
                  END
                ) AS "a4",
                sum(
                  "t3"."weight"::float8 * 5.421010862427522e-20::float8
                ) FILTER (
                  WHERE
                    NOT abs("t3"."weight"::float8) < 1e290::float8
                ) AS "a5",
                count("t3"."weight"::float8) AS "a6"
              FROM
                "product" AS "t3"
              GROUP BY
                1,
                2
              ORDER BY
                1 NULLS LAST,
                2 NULLS LAST
              LIMIT
                + $1::bigint
            ) AS "t4"
        ) || ',"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $2::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "product" AS "t1"
                  ORDER BY
                    ("t1"."id" COLLATE "C")
                  LIMIT
                    11
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $2::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."id")) [count(*)]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '}}'
        )
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              (
                '{"id":' || coalesce(
                  to_json(('prd_' || "t1"."id")::text)::text,
                  chr(3)
                ) || '}'
              ) AS "item",
              "t1"."id" AS "id"
            FROM
              "product" AS "t1"
            ORDER BY
              ("t1"."id" COLLATE "C")
            LIMIT
              11
          ) AS "t2"
        LIMIT
          + $2::bigint
      ) AS "t2"
  ) AS "r0"
