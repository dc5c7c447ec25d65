SELECT
  (
    SELECT
      (
        coalesce(
          '{"id":"exhibit_' || ("t1"."id" | 0) || '","title":',
          '{"id":' || chr(3) || ',"title":'
        ) || coalesce(to_json("t1"."title"::text)::text, chr(3)) || ',"subtitle":' || coalesce(to_json("t1"."subtitle"::text)::text, 'null') || ',"contact":' || coalesce(to_json("t1"."contact"::text)::text, 'null') || ',"site":' || coalesce(to_json("t1"."site"::text)::text, 'null') || ',"handle":' || coalesce(to_json("t1"."handle"::text)::text, 'null') || ',"floor":' || coalesce(
          CASE
            WHEN "t1"."floor" BETWEEN -2147483648 AND 2147483647 THEN ("t1"."floor" | 0)::text
          END,
          chr(3)
        ) || coalesce(
          ',"visitors":"' || ("t1"."visitors" | 0) || '","height":',
          ',"visitors":null,"height":'
        ) || CASE
          WHEN "t1"."height" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."height" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN ("t1"."height"::float8 + 0)::text
            END,
            chr(3)
          )
        END || ',"value":' || CASE
          WHEN "t1"."value" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE
              WHEN scale("t1"."value") IS NOT NULL THEN round("t1"."value", 4)
            END || '"',
            chr(3)
          )
        END || ',"insured":' || coalesce(
          (
            "t1"."insured"
            AND TRUE
          )::text,
          'null'
        ) || ',"madeOn":' || CASE
          WHEN "t1"."made_on" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."made_on" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json(("t1"."made_on" + 0))::text
            END,
            chr(3)
          )
        END || ',"opensAt":' || CASE
          WHEN "t1"."opens_at" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."opens_at" < TIME '24:00' THEN to_json("t1"."opens_at"::time)::text
            END,
            chr(3)
          )
        END || ',"seenAt":' || CASE
          WHEN "t1"."seen_at" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."seen_at" >= TIMESTAMPTZ '0001-01-01Z'
              AND "t1"."seen_at" < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(
                to_json("t1"."seen_at"::timestamptz AT TIME ZONE 'UTC')::text,
                '"'
              ) || 'Z"'
            END,
            chr(3)
          )
        END || coalesce(
          ',"serial":"' || "t1"."serial"::uuid || '","facts":',
          ',"serial":null,"facts":'
        ) || coalesce(
          nullif(
            btrim(to_json("t1"."facts")::text, E' \t\n\r'),
            'null'
          ),
          'null'
        ) || ',"mood":' || CASE
          WHEN "t1"."mood" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."mood"::text COLLATE "C" IN ('calm', 'loud', 'odd') THEN to_json("t1"."mood"::text)::text
            END,
            chr(3)
          )
        END || ',"image":' || coalesce(
          '"' || translate(encode("t1"."image", 'base64'), E'\n', '') || '"',
          'null'
        ) || ',"words":' || CASE
          WHEN "t1"."words" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."words" IS NOT NULL
              AND coalesce(array_ndims("t1"."words"), 1) = 1 THEN (
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
                  unnest("t1"."words") WITH ORDINALITY AS item (value, place)
              )
            END,
            chr(3)
          )
        END || ',"years":' || CASE
          WHEN "t1"."years" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."years" IS NOT NULL
              AND coalesce(array_ndims("t1"."years"), 1) = 1 THEN (
                SELECT
                  CASE
                    WHEN bool_or(
                      (
                        CASE
                          WHEN item.value BETWEEN -2147483648 AND 2147483647 THEN (item.value | 0)::text
                        END
                      ) IS NULL
                    ) THEN NULL
                    ELSE '[' || coalesce(
                      string_agg(
                        CASE
                          WHEN item.value BETWEEN -2147483648 AND 2147483647 THEN (item.value | 0)::text
                        END,
                        ','
                        ORDER BY
                          item.place
                      ),
                      ''
                    ) || ']'
                  END
                FROM
                  unnest("t1"."years") WITH ORDINALITY AS item (value, place)
              )
            END,
            chr(3)
          )
        END || ',"counts":' || CASE
          WHEN "t1"."counts" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."counts" IS NOT NULL
              AND coalesce(array_ndims("t1"."counts"), 1) = 1 THEN (
                SELECT
                  CASE
                    WHEN bool_or(('"' || (item.value | 0) || '"') IS NULL) THEN NULL
                    ELSE '[' || coalesce(
                      string_agg(
                        '"' || (item.value | 0) || '"',
                        ','
                        ORDER BY
                          item.place
                      ),
                      ''
                    ) || ']'
                  END
                FROM
                  unnest("t1"."counts") WITH ORDINALITY AS item (value, place)
              )
            END,
            chr(3)
          )
        END || ',"prices":' || CASE
          WHEN "t1"."prices" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."prices" IS NOT NULL
              AND coalesce(array_ndims("t1"."prices"), 1) = 1 THEN (
                SELECT
                  CASE
                    WHEN bool_or(
                      (
                        '"' || CASE
                          WHEN scale(item.value) IS NOT NULL THEN round(item.value, 2)
                        END || '"'
                      ) IS NULL
                    ) THEN NULL
                    ELSE '[' || coalesce(
                      string_agg(
                        '"' || CASE
                          WHEN scale(item.value) IS NOT NULL THEN round(item.value, 2)
                        END || '"',
                        ','
                        ORDER BY
                          item.place
                      ),
                      ''
                    ) || ']'
                  END
                FROM
                  unnest("t1"."prices") WITH ORDINALITY AS item (value, place)
              )
            END,
            chr(3)
          )
        END || coalesce(
          ',"roomId":"room_' || "t1"."room_id"::uuid || '","labelId":',
          ',"roomId":null,"labelId":'
        ) || coalesce(
          to_json(('label_' || "t1"."label_id")::text)::text,
          'null'
        ) || ',"placeId":' || coalesce(
          to_json(
            (
              'place_' || replace(
                replace("t1"."place_hall", '%', '%25'),
                '~',
                '%7E'
              ) || '~' || ("t1"."place_number" | 0)
            )::text
          )::text,
          'null'
        ) || '}'
      )
    FROM
      "exhibit" AS "t1"
    WHERE
      "t1"."id" = $1::integer
    LIMIT
      1
  ) AS "r0"
