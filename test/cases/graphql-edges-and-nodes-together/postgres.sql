SELECT
  (
    SELECT
      concat(
        '{"edges":[',
        coalesce(
          string_agg(
            concat(
              '{"node":{"id":',
              CASE
                WHEN "t2"."id" IS NULL THEN ''
                ELSE concat('"prd_', "t2"."id", '"')
              END,
              ',"slug":',
              coalesce(to_json(("t2"."slug" COLLATE "C"))::text, ''),
              '}}'
            ),
            ','
          ),
          ''
        ),
        '],"nodes":[',
        coalesce(
          string_agg(
            concat(
              '{"slug":',
              coalesce(to_json(("t2"."slug" COLLATE "C"))::text, ''),
              '}'
            ),
            ','
          ),
          ''
        ),
        '],"more":[',
        coalesce(
          string_agg(
            concat(
              '{"node":{"price":',
              coalesce(
                CASE
                  WHEN abs("t2"."price") < 'Infinity' THEN '"' || round("t2"."price", 2) || '"'
                END,
                ''
              ),
              '}}'
            ),
            ','
          ),
          ''
        ),
        ']}'
      )
    FROM
      (
        SELECT
          "t1"."id" AS "id",
          "t1"."slug" AS "slug",
          "t1"."price" AS "price"
        FROM
          "product" AS "t1"
        WHERE
          TRUE
        ORDER BY
          ("t1"."id" COLLATE "C")
        LIMIT
          $1::bigint
      ) AS "t2"
  ) AS "r0"
