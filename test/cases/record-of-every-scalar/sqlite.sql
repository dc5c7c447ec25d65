SELECT
  (
    SELECT
      concat (
        coalesce(
          '{"id":"exhibit_' || CASE
            WHEN typeof("t1"."id") = 'integer'
            AND "t1"."id" BETWEEN -2147483648 AND 2147483647 THEN "t1"."id"
          END || '","title":',
          '{"id":' || char(3) || ',"title":'
        ),
        coalesce(
          CASE typeof("t1"."title")
            WHEN 'text' THEN json_quote("t1"."title")
          END,
          char(3)
        ),
        ',"subtitle":',
        CASE
          WHEN "t1"."subtitle" IS NULL THEN 'null'
          ELSE coalesce(
            CASE typeof("t1"."subtitle")
              WHEN 'text' THEN json_quote("t1"."subtitle")
            END,
            char(3)
          )
        END,
        ',"contact":',
        CASE
          WHEN "t1"."contact" IS NULL THEN 'null'
          ELSE coalesce(
            CASE typeof("t1"."contact")
              WHEN 'text' THEN json_quote("t1"."contact")
            END,
            char(3)
          )
        END,
        ',"site":',
        CASE
          WHEN "t1"."site" IS NULL THEN 'null'
          ELSE coalesce(
            CASE typeof("t1"."site")
              WHEN 'text' THEN json_quote("t1"."site")
            END,
            char(3)
          )
        END,
        ',"handle":',
        CASE
          WHEN "t1"."handle" IS NULL THEN 'null'
          ELSE coalesce(
            CASE typeof("t1"."handle")
              WHEN 'text' THEN json_quote("t1"."handle")
            END,
            char(3)
          )
        END,
        ',"floor":',
        coalesce(
          CASE
            WHEN typeof("t1"."floor") = 'integer'
            AND "t1"."floor" BETWEEN -2147483648 AND 2147483647 THEN "t1"."floor"
          END,
          char(3)
        ),
        ',"visitors":',
        CASE
          WHEN "t1"."visitors" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE typeof("t1"."visitors")
              WHEN 'integer' THEN "t1"."visitors"
            END || '"',
            char(3)
          )
        END,
        ',"height":',
        CASE
          WHEN "t1"."height" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN typeof("t1"."height") IN ('real', 'integer')
              AND "t1"."height" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE "t1"."height"
                WHEN CAST(format('%.15g', "t1"."height") AS REAL) THEN format('%.15g', "t1"."height")
                WHEN CAST(format('%.16g', "t1"."height") AS REAL) THEN format('%.16g', "t1"."height")
                ELSE format('%!.17g', "t1"."height")
              END
            END,
            char(3)
          )
        END,
        ',"value":',
        CASE
          WHEN "t1"."value" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE typeof("t1"."value")
              WHEN 'integer' THEN CASE
                WHEN "t1"."value" < 0 THEN '-'
                ELSE ''
              END || abs("t1"."value" / 10000) || '.' || substr(10000 + abs("t1"."value" % 10000), 2)
            END || '"',
            char(3)
          )
        END,
        ',"insured":',
        CASE
          WHEN "t1"."insured" IS NULL THEN 'null'
          ELSE coalesce(
            CASE "t1"."insured"
              WHEN 1 THEN 'true'
              WHEN 0 THEN 'false'
            END,
            char(3)
          )
        END,
        ',"madeOn":',
        CASE
          WHEN "t1"."made_on" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE
              WHEN "t1"."made_on" GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' THEN "t1"."made_on"
            END || '"',
            char(3)
          )
        END,
        ',"opensAt":',
        CASE
          WHEN "t1"."opens_at" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE
              WHEN "t1"."opens_at" GLOB '[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]' THEN rtrim(rtrim("t1"."opens_at", '0'), '.')
            END || '"',
            char(3)
          )
        END,
        ',"seenAt":',
        CASE
          WHEN "t1"."seen_at" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE
              WHEN "t1"."seen_at" GLOB '????-??-??T??:??:??.??????Z'
              AND unixepoch("t1"."seen_at") IS NOT NULL THEN rtrim(rtrim(substr("t1"."seen_at", 1, 26), '0'), '.') || 'Z'
            END || '"',
            char(3)
          )
        END,
        ',"serial":',
        CASE
          WHEN "t1"."serial" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE
              WHEN length("t1"."serial") = 36
              AND octet_length (unhex ("t1"."serial", '-')) = 16 THEN "t1"."serial"
            END || '"',
            char(3)
          )
        END,
        ',"facts":',
        CASE
          WHEN CASE
            WHEN json_valid("t1"."facts")
            AND json_type("t1"."facts") = 'null' THEN NULL
            ELSE "t1"."facts"
          END IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN json_valid("t1"."facts")
              AND json_type("t1"."facts") <> 'null' THEN "t1"."facts"
            END,
            char(3)
          )
        END,
        ',"mood":',
        CASE
          WHEN "t1"."mood" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN "t1"."mood" IN ('calm', 'loud', 'odd') THEN json_quote("t1"."mood")
            END,
            char(3)
          )
        END,
        ',"image":',
        CASE
          WHEN "t1"."image" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || bifold_base64 ("t1"."image") || '"',
            char(3)
          )
        END,
        ',"words":',
        CASE
          WHEN "t1"."words" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN json_valid("t1"."words")
              AND json_type("t1"."words") = 'array'
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  json_each("t1"."words") AS item
                WHERE
                  item."type" NOT IN ('text')
              ) THEN "t1"."words"
            END,
            char(3)
          )
        END,
        ',"years":',
        CASE
          WHEN "t1"."years" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN json_valid("t1"."years")
              AND json_type("t1"."years") = 'array'
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  json_each("t1"."years") AS item
                WHERE
                  item."type" NOT IN ('integer')
              ) THEN "t1"."years"
            END,
            char(3)
          )
        END,
        ',"counts":',
        CASE
          WHEN "t1"."counts" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN json_valid("t1"."counts")
              AND json_type("t1"."counts") = 'array'
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  json_each("t1"."counts") AS item
                WHERE
                  item."type" NOT IN ('text')
              ) THEN "t1"."counts"
            END,
            char(3)
          )
        END,
        ',"prices":',
        CASE
          WHEN "t1"."prices" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN json_valid("t1"."prices")
              AND json_type("t1"."prices") = 'array'
              AND NOT EXISTS (
                SELECT
                  1
                FROM
                  json_each("t1"."prices") AS item
                WHERE
                  item."type" NOT IN ('text')
              ) THEN "t1"."prices"
            END,
            char(3)
          )
        END,
        coalesce(
          ',"roomId":"room_' || CASE
            WHEN length("t1"."room_id") = 36
            AND octet_length (unhex ("t1"."room_id", '-')) = 16 THEN "t1"."room_id"
          END || '","labelId":',
          ',"roomId":null,"labelId":'
        ),
        coalesce(
          CASE typeof(('label_' || "t1"."label_id"))
            WHEN 'text' THEN json_quote(('label_' || "t1"."label_id"))
          END,
          'null'
        ),
        ',"placeId":',
        coalesce(
          CASE typeof(
              (
                'place_' || replace(
                  replace("t1"."place_hall", '%', '%25'),
                  '~',
                  '%7E'
                ) || '~' || CASE
                  WHEN typeof("t1"."place_number") = 'integer'
                  AND "t1"."place_number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."place_number"
                END
              )
            )
            WHEN 'text' THEN json_quote(
              (
                'place_' || replace(
                  replace("t1"."place_hall", '%', '%25'),
                  '~',
                  '%7E'
                ) || '~' || CASE
                  WHEN typeof("t1"."place_number") = 'integer'
                  AND "t1"."place_number" BETWEEN -2147483648 AND 2147483647 THEN "t1"."place_number"
                END
              )
            )
          END,
          'null'
        ),
        '}'
      )
    FROM
      "exhibit" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
