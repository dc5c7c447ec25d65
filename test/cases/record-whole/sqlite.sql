SELECT
  (
    SELECT
      concat (
        '{"id":"prd_',
        "t1"."id",
        '","slug":',
        json_quote("t1"."slug"),
        ',"name":',
        json_quote("t1"."name"),
        ',"description":',
        coalesce(json_quote("t1"."description"), 'null'),
        ',"price":"',
        CASE
          WHEN "t1"."price" < 0 THEN '-'
          ELSE ''
        END,
        abs("t1"."price" / 100),
        '.',
        substr(100 + abs("t1"."price" % 100), 2),
        '","active":',
        CASE "t1"."active"
          WHEN 1 THEN 'true'
          WHEN 0 THEN 'false'
        END,
        ',"weight":',
        coalesce(
          CASE
            WHEN abs("t1"."weight") < 9e999 THEN CASE "t1"."weight"
              WHEN CAST(format('%.15g', "t1"."weight") AS REAL) THEN format('%.15g', "t1"."weight")
              WHEN CAST(format('%.16g', "t1"."weight") AS REAL) THEN format('%.16g', "t1"."weight")
              ELSE format('%!.17g', "t1"."weight")
            END
          END,
          char(3)
        ),
        ',"stock":',
        coalesce('"' || "t1"."stock" || '"', 'null'),
        ',"colours":',
        "t1"."colours",
        ',"attributes":',
        "t1"."attributes",
        ',"manual":',
        coalesce(json_quote("t1"."manual"), 'null'),
        ',"thumbnail":',
        coalesce(
          '"' || bifold_base64 ("t1"."thumbnail") || '"',
          'null'
        ),
        ',"releasedOn":',
        coalesce('"' || "t1"."released_on" || '"', 'null'),
        ',"createdAt":"',
        rtrim(rtrim(substr("t1"."created_at", 1, 26), '0'), '.'),
        'Z","categoryId":"cat_',
        "t1"."category_id",
        '"}'
      )
    FROM
      "product" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
