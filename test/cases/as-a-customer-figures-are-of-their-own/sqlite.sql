SELECT
  concat (
    '{"aggregate":',
    (
      SELECT
        concat (
          '{"count":',
          "t2"."a1",
          ',"sum":{"total":',
          coalesce(
            '"' || bifold_sum ("t2"."a2", "t2"."a3", 2) || '"',
            'null'
          ),
          '}}'
        )
      FROM
        (
          SELECT
            count(*) AS "a1",
            sum("t1"."total" >> 32) AS "a2",
            sum("t1"."total" & 4294967295) AS "a3",
            count("t1"."total") AS "a4"
          FROM
            "order" AS "t1"
          WHERE
            "t1"."customer_id" = ?
        ) AS "t2"
    ),
    ',"groups":',
    (
      SELECT
        concat (
          '[',
          coalesce(
            string_agg (
              concat (
                '{"key":{"status":',
                coalesce(
                  CASE
                    WHEN "t4"."a1" IN ('cart', 'placed', 'paid', 'shipped', 'cancelled') THEN json_quote("t4"."a1")
                  END,
                  char(3)
                ),
                '},"count":',
                "t4"."a2",
                '}'
              ),
              ','
            ),
            ''
          ),
          ']'
        )
      FROM
        (
          SELECT
            "t3"."status" AS "a1",
            count(*) AS "a2"
          FROM
            "order" AS "t3"
          WHERE
            "t3"."customer_id" = ?
          GROUP BY
            1
          ORDER BY
            1 NULLS LAST
          LIMIT
            + ?
        ) AS "t4"
    ),
    '}'
  ) AS "r0"
