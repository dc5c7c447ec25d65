SELECT
  (
    SELECT
      concat (
        '{"id":"exhibit_',
        "t1"."id",
        '","title":',
        json_quote("t1"."title"),
        ',"subtitle":',
        coalesce(json_quote("t1"."subtitle"), 'null'),
        ',"contact":',
        coalesce(json_quote("t1"."contact"), 'null'),
        ',"site":',
        coalesce(json_quote("t1"."site"), 'null'),
        ',"handle":',
        coalesce(json_quote("t1"."handle"), 'null'),
        ',"floor":',
        "t1"."floor",
        ',"visitors":',
        coalesce('"' || "t1"."visitors" || '"', 'null'),
        ',"height":',
        CASE
          WHEN "t1"."height" IS NULL THEN 'null'
          ELSE coalesce(
            CASE
              WHEN abs("t1"."height") < 9e999 THEN CASE "t1"."height"
                WHEN CAST(format('%.15g', "t1"."height") AS REAL) THEN format('%.15g', "t1"."height")
                WHEN CAST(format('%.16g', "t1"."height") AS REAL) THEN format('%.16g', "t1"."height")
                ELSE format('%!.17g', "t1"."height")
              END
            END,
            char(3)
          )
        END,
        ',"value":',
        coalesce(
          CASE
            WHEN "t1"."value" >= 0 THEN concat (
              '"',
              "t1"."value" / 10000,
              '.',
              substr(10000 + ("t1"."value" % 10000), 2),
              '"'
            )
            WHEN "t1"."value" < 0 THEN concat (
              '"-',
              - ("t1"."value" / 10000),
              '.',
              substr(10000 - ("t1"."value" % 10000), 2),
              '"'
            )
          END,
          'null'
        ),
        ',"insured":',
        coalesce(
          CASE "t1"."insured"
            WHEN 1 THEN 'true'
            WHEN 0 THEN 'false'
          END,
          'null'
        ),
        ',"madeOn":',
        coalesce('"' || "t1"."made_on" || '"', 'null'),
        ',"opensAt":',
        coalesce(
          '"' || rtrim(rtrim("t1"."opens_at", '0'), '.') || '"',
          'null'
        ),
        ',"seenAt":',
        coalesce(
          '"' || rtrim(rtrim(substr("t1"."seen_at", 1, 26), '0'), '.') || 'Z' || '"',
          'null'
        ),
        ',"serial":',
        coalesce('"' || "t1"."serial" || '"', 'null'),
        ',"facts":',
        coalesce("t1"."facts", 'null'),
        ',"mood":',
        coalesce(json_quote("t1"."mood"), 'null'),
        ',"image":',
        coalesce(
          '"' || bifold_base64 ("t1"."image") || '"',
          'null'
        ),
        ',"words":',
        coalesce("t1"."words", 'null'),
        ',"years":',
        coalesce("t1"."years", 'null'),
        ',"counts":',
        coalesce("t1"."counts", 'null'),
        ',"prices":',
        coalesce("t1"."prices", 'null'),
        coalesce(
          ',"roomId":"room_' || "t1"."room_id" || '","labelId":',
          ',"roomId":null,"labelId":'
        ),
        coalesce(json_quote('label_' || "t1"."label_id"), 'null'),
        ',"placeId":',
        coalesce(
          json_quote(
            'place_' || replace(
              replace("t1"."place_hall", '%', '%25'),
              '~',
              '%7E'
            ) || '~' || "t1"."place_number"
          ),
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
