SELECT
  (
    SELECT
      (
        '{"nodes":[' || coalesce(string_agg("t2"."item", ','), '') || (
          '],"pageInfo":{"hasNextPage":' || CASE
            WHEN count(*) = + $1::bigint
            AND EXISTS (
              SELECT
                1
              FROM
                (
                  SELECT
                    1
                  FROM
                    "place" AS "t1"
                  ORDER BY
                    ("t1"."hall" COLLATE "C"),
                    "t1"."number"
                  LIMIT
                    101
                ) AS "t2"
              LIMIT
                1
              OFFSET
                + $1::bigint
            ) THEN 'true'
            ELSE 'false'
          END || ',"hasPreviousPage":false,"startCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."hall")) [1]::text)::text,
                  'null'
                ) || ',' || coalesce(
                  CASE
                    WHEN (array_agg("t2"."number")) [1] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t2"."number")) [1] | 0)::text
                  END,
                  '["text",' || to_json((array_agg("t2"."number")) [1]::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || ',"endCursor":' || coalesce(
            CASE
              WHEN count(*) > 0 THEN (
                chr(1) || '0[[' || coalesce(
                  to_json((array_agg("t2"."hall")) [count(*)]::text)::text,
                  'null'
                ) || ',' || coalesce(
                  CASE
                    WHEN (array_agg("t2"."number")) [count(*)] BETWEEN -2147483648 AND 2147483647 THEN ((array_agg("t2"."number")) [count(*)] | 0)::text
                  END,
                  '["text",' || to_json((array_agg("t2"."number")) [count(*)]::text)::text || ']',
                  'null'
                ) || ']]' || chr(2)
              )
            END,
            'null'
          ) || '}}'
        )
      )
    FROM
      (
        SELECT
          *
        FROM
          (
            SELECT
              (
                '{"id":' || coalesce(
                  to_json(
                    (
                      'place_' || replace(replace("t1"."hall", '%', '%25'), '~', '%7E') || '~' || ("t1"."number" | 0)
                    )::text
                  )::text,
                  chr(3)
                ) || ',"hall":' || coalesce(to_json("t1"."hall"::text)::text, chr(3)) || ',"number":' || coalesce(
                  CASE
                    WHEN "t1"."number" BETWEEN -2147483648 AND 2147483647 THEN ("t1"."number" | 0)::text
                  END,
                  chr(3)
                ) || '}'
              ) AS "item",
              "t1"."hall" AS "hall",
              "t1"."number" AS "number"
            FROM
              "place" AS "t1"
            ORDER BY
              ("t1"."hall" COLLATE "C"),
              "t1"."number"
            LIMIT
              101
          ) AS "t2"
        LIMIT
          + $1::bigint
      ) AS "t2"
  ) AS "r0"
