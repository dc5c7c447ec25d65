SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."id" IS NULL THEN ''
          ELSE concat('"prd_', "t1"."id", '"')
        END,
        ',"slug":',
        coalesce(to_json(("t1"."slug" COLLATE "C"))::text, ''),
        ',"name":',
        coalesce(to_json(("t1"."name" COLLATE "C"))::text, ''),
        ',"description":',
        coalesce(
          to_json(("t1"."description" COLLATE "C"))::text,
          'null'
        ),
        ',"price":',
        coalesce(
          CASE
            WHEN abs("t1"."price") < 'Infinity' THEN '"' || round("t1"."price", 2) || '"'
          END,
          ''
        ),
        ',"active":',
        coalesce("t1"."active"::text, ''),
        ',"weight":',
        coalesce(
          CASE
            WHEN abs("t1"."weight") < 'Infinity' THEN ("t1"."weight"::float8 + 0)::text
          END,
          ''
        ),
        ',"stock":',
        coalesce('"' || "t1"."stock" || '"', 'null'),
        ',"colours":',
        coalesce(
          CASE
            WHEN "t1"."colours" IS NOT NULL
            AND coalesce(array_ndims("t1"."colours"), 1) = 1 THEN (
              SELECT
                CASE
                  WHEN bool_or((to_json(item.value)::text) IS NULL) THEN NULL
                  ELSE '[' || coalesce(
                    string_agg(
                      to_json(item.value)::text,
                      ','
                      ORDER BY
                        item.place
                    ),
                    ''
                  ) || ']'
                END
              FROM
                unnest("t1"."colours") WITH ORDINALITY AS item (value, place)
            )
          END,
          ''
        ),
        ',"attributes":',
        coalesce("t1"."attributes"::text, ''),
        ',"manual":',
        coalesce(
          to_json(("t1"."manual" COLLATE "C"))::text,
          'null'
        ),
        ',"thumbnail":',
        coalesce(
          '"' || translate(encode("t1"."thumbnail", 'base64'), E'\n', '') || '"',
          'null'
        ),
        ',"releasedOn":',
        CASE
          WHEN "t1"."released_on" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."released_on" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json("t1"."released_on")::text
            END,
            ''
          )
        END,
        ',"createdAt":',
        coalesce(
          CASE
            WHEN "t1"."created_at" >= TIMESTAMPTZ '0001-01-01Z'
            AND "t1"."created_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
              to_json("t1"."created_at" AT TIME ZONE 'UTC')::text,
              '"'
            ) || 'Z"'
          END,
          ''
        ),
        ',"categoryId":',
        CASE
          WHEN "t1"."category_id" IS NULL THEN ''
          ELSE concat('"cat_', "t1"."category_id", '"')
        END,
        '}'
      )
    FROM
      "product" AS "t1"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
