SELECT
  (
    SELECT
      concat (
        '{"id":',
        coalesce(
          CASE typeof(('prd_' || "t1"."id"))
            WHEN 'text' THEN json_quote(('prd_' || "t1"."id"))
          END,
          char(3)
        ),
        ',"slug":',
        coalesce(
          CASE typeof("t1"."slug")
            WHEN 'text' THEN json_quote("t1"."slug")
          END,
          char(3)
        ),
        ',"name":',
        coalesce(
          CASE typeof("t1"."name")
            WHEN 'text' THEN json_quote("t1"."name")
          END,
          char(3)
        ),
        ',"description":',
        CASE
          WHEN "t1"."description" IS NULL THEN 'null'
          ELSE coalesce(
            CASE typeof("t1"."description")
              WHEN 'text' THEN json_quote("t1"."description")
            END,
            char(3)
          )
        END,
        coalesce(
          ',"price":"' || CASE typeof("t1"."price")
            WHEN 'integer' THEN CASE
              WHEN "t1"."price" < 0 THEN '-'
              ELSE ''
            END || abs("t1"."price" / 100) || '.' || substr(100 + abs("t1"."price" % 100), 2)
          END || '","active":',
          ',"price":' || char(3) || ',"active":'
        ),
        coalesce(
          CASE "t1"."active"
            WHEN 1 THEN 'true'
            WHEN 0 THEN 'false'
          END,
          char(3)
        ),
        ',"weight":',
        coalesce(
          CASE
            WHEN typeof("t1"."weight") IN ('real', 'integer')
            AND "t1"."weight" BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308 THEN CASE "t1"."weight"
              WHEN CAST(format('%.15g', "t1"."weight") AS REAL) THEN format('%.15g', "t1"."weight")
              WHEN CAST(format('%.16g', "t1"."weight") AS REAL) THEN format('%.16g', "t1"."weight")
              ELSE format('%!.17g', "t1"."weight")
            END
          END,
          char(3)
        ),
        ',"stock":',
        CASE
          WHEN "t1"."stock" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE typeof("t1"."stock")
              WHEN 'integer' THEN "t1"."stock"
            END || '"',
            char(3)
          )
        END,
        ',"colours":',
        coalesce(
          CASE
            WHEN json_valid("t1"."colours")
            AND json_type("t1"."colours") = 'array'
            AND NOT EXISTS (
              SELECT
                1
              FROM
                json_each("t1"."colours") AS item
              WHERE
                item."type" NOT IN ('text')
            ) THEN "t1"."colours"
          END,
          char(3)
        ),
        ',"attributes":',
        coalesce(
          CASE
            WHEN json_valid("t1"."attributes") THEN "t1"."attributes"
          END,
          char(3)
        ),
        ',"manual":',
        CASE
          WHEN "t1"."manual" IS NULL THEN 'null'
          ELSE coalesce(
            CASE typeof("t1"."manual")
              WHEN 'text' THEN json_quote("t1"."manual")
            END,
            char(3)
          )
        END,
        ',"thumbnail":',
        CASE
          WHEN "t1"."thumbnail" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || bifold_base64 ("t1"."thumbnail") || '"',
            char(3)
          )
        END,
        ',"releasedOn":',
        CASE
          WHEN "t1"."released_on" IS NULL THEN 'null'
          ELSE coalesce(
            '"' || CASE
              WHEN "t1"."released_on" GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' THEN "t1"."released_on"
            END || '"',
            char(3)
          )
        END,
        coalesce(
          ',"createdAt":"' || CASE
            WHEN "t1"."created_at" GLOB '????-??-??T??:??:??.??????Z'
            AND unixepoch("t1"."created_at") IS NOT NULL THEN rtrim(rtrim(substr("t1"."created_at", 1, 26), '0'), '.') || 'Z'
          END || '","categoryId":',
          ',"createdAt":' || char(3) || ',"categoryId":'
        ),
        coalesce(
          CASE typeof(('cat_' || "t1"."category_id"))
            WHEN 'text' THEN json_quote(('cat_' || "t1"."category_id"))
          END,
          char(3)
        ),
        '}'
      )
    FROM
      "product" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
