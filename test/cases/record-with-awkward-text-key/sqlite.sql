SELECT
  (
    SELECT
      concat (
        '{"id":',
        json_quote(
          'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || "t1"."number"
        ),
        ',"hall":',
        json_quote("t1"."hall"),
        ',"number":',
        "t1"."number",
        '}'
      )
    FROM
      "place" AS "t1"
    WHERE
      "t1"."hall" = ?
      AND "t1"."number" = ?
    LIMIT
      1
  ) AS "r0"
