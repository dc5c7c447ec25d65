SELECT
  (
    SELECT
      (
        '{"id":' || coalesce(
          to_json(('prd_' || "t1"."id")::text)::text,
          chr(3)
        ) || ',"slug":' || coalesce(to_json("t1"."slug"::text)::text, chr(3)) || ',"name":' || coalesce(to_json("t1"."name"::text)::text, chr(3)) || ',"description":' || coalesce(to_json("t1"."description"::text)::text, 'null') || coalesce(
          ',"price":"' || CASE
            WHEN scale("t1"."price") IS NOT NULL THEN round("t1"."price", 2)
          END || '","active":',
          ',"price":' || chr(3) || ',"active":'
        ) || coalesce(
          (
            "t1"."active"
            AND TRUE
          )::text,
          chr(3)
        ) || ',"weight":' || coalesce(
          CASE
            WHEN "t1"."weight" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN ("t1"."weight"::float8 + 0)::text
          END,
          chr(3)
        ) || coalesce(
          ',"stock":"' || ("t1"."stock" | 0) || '","colours":',
          ',"stock":null,"colours":'
        ) || coalesce(
          CASE
            WHEN "t1"."colours" IS NOT NULL
            AND coalesce(array_ndims("t1"."colours"), 1) = 1 THEN (
              SELECT
                CASE
                  WHEN bool_or((to_json(item.value::text)::text) IS NULL) THEN NULL
                  ELSE '[' || coalesce(
                    string_agg(
                      to_json(item.value::text)::text,
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
          chr(3)
        ) || ',"attributes":' || coalesce(to_json("t1"."attributes")::text, chr(3)) || ',"manual":' || coalesce(to_json("t1"."manual"::text)::text, 'null') || ',"thumbnail":' || coalesce(
          '"' || translate(encode("t1"."thumbnail", 'base64'), E'\n', '') || '"',
          'null'
        ) || ',"releasedOn":' || CASE
          WHEN "t1"."released_on" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."released_on" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json(("t1"."released_on" + 0))::text
            END,
            chr(3)
          )
        END || ',"createdAt":' || coalesce(
          CASE
            WHEN "t1"."created_at" >= TIMESTAMPTZ '0001-01-01Z'
            AND "t1"."created_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
              to_json("t1"."created_at"::timestamptz AT TIME ZONE 'UTC')::text,
              '"'
            ) || 'Z"'
          END,
          chr(3)
        ) || ',"categoryId":' || coalesce(
          to_json(('cat_' || "t1"."category_id")::text)::text,
          chr(3)
        ) || '}'
      )
    FROM
      "product" AS "t1"
    WHERE
      "t1"."id" = $1::text
    LIMIT
      1
  ) AS "r0"
