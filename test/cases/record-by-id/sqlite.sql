SELECT
  (
    SELECT
      concat (
        '{"id":"ord_',
        "t1"."id",
        '","number":',
        json_quote("t1"."number"),
        ',"status":',
        json_quote("t1"."status"),
        ',"total":"',
        CASE
          WHEN "t1"."total" < 0 THEN '-'
          ELSE ''
        END,
        abs("t1"."total" / 100),
        '.',
        substr(100 + abs("t1"."total" % 100), 2),
        '","note":',
        coalesce(json_quote("t1"."note"), 'null'),
        ',"placedAt":',
        coalesce(
          '"' || rtrim(rtrim(substr("t1"."placed_at", 1, 26), '0'), '.') || 'Z' || '"',
          'null'
        ),
        ',"customerId":"cus_',
        "t1"."customer_id",
        '"}'
      )
    FROM
      "order" AS "t1"
    WHERE
      "t1"."id" = ?
    LIMIT
      1
  ) AS "r0"
