SELECT
  (
    SELECT
      concat(
        '{"id":',
        CASE
          WHEN "t1"."hall" IS NULL
          OR "t1"."number" IS NULL THEN ''
          ELSE concat(
            to_json(
              concat(
                'place_',
                replace(replace("t1"."hall", '%', '%25'), '~', '%7E'),
                '~',
                "t1"."number"
              )
            )::text
          )
        END,
        ',"hall":',
        coalesce(to_json(("t1"."hall" COLLATE "C"))::text, ''),
        ',"number":',
        coalesce("t1"."number"::text, ''),
        '}'
      )
    FROM
      "place" AS "t1"
    WHERE
      "t1"."hall" = $1::text
      AND "t1"."number" = $2::integer
    LIMIT
      1
  ) AS "r0"
