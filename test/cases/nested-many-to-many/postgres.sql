SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $1::bigint
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
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
                  to_json((array_agg("t2"."id")) [1]::text)::text,
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '1[[' || coalesce(
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
                ) || ',"tags":' || (
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
                        + $2::bigint
                    )
                  SELECT
                    (
                      '{"nodes":[' || coalesce(
                        string_agg(
                          (
                            '{"id":' || coalesce(
                              to_json(('tag_' || "t5"."name")::text)::text,
                              chr(3)
                            ) || ',"featured":' || coalesce(
                              (
                                "t5"."featured"
                                AND TRUE
                              )::text,
                              chr(3)
                            ) || '}'
                          ),
                          ','
                        ) FILTER (
                          WHERE
                            "t5"."name" IS DISTINCT FROM (
                              SELECT
                                "t5"."name"
                              FROM
                                "t6" AS "t5"
                              LIMIT
                                1
                              OFFSET
                                + $3::bigint
                            )
                        ),
                        ''
                      ) || '],"pageInfo":{"hasNextPage":' || CASE
                        WHEN count(*) > + $4::bigint THEN 'true'
                        ELSE 'false'
                      END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
                        (
                          SELECT
                            (
                              chr(1) || '0[[' || coalesce(to_json("t5"."name"::text)::text, 'null') || ']]' || chr(2)
                            )
                          FROM
                            "t6" AS "t5"
                          LIMIT
                            + $5::bigint
                          OFFSET
                            0
                        ),
                        'null'
                      ) || ',"endCursor":' || coalesce(
                        (
                          SELECT
                            (
                              chr(1) || '0[[' || coalesce(to_json("t5"."name"::text)::text, 'null') || ']]' || chr(2)
                            )
                          FROM
                            "t6" AS "t5"
                          LIMIT
                            + $6::bigint
                          OFFSET
                            + $7::bigint
                        ),
                        (
                          SELECT
                            (
                              chr(1) || '0[[' || coalesce(to_json("t5"."name"::text)::text, 'null') || ']]' || chr(2)
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
                    "t6" AS "t5"
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
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
