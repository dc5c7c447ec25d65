// PostgreSQL, 14 or later. The connection's TimeZone is UTC and its DateStyle ISO (storage/postgres/postgres.ts).
import { invariant } from "../../base/invariant.ts"
import type { Value } from "../../plan/read-plan.ts"
import { type ColumnType, isText, itemType, plainFloat } from "../column-type.ts"
import type { AggregatedColumn, Dialect, Numbers, Printed, Range } from "../dialect.ts"
import { allOf, commas, type Fragment, join, literal, render, sql, whole } from "../fragment.ts"
import type { Parameter } from "../statement.ts"

export const postgres: Dialect = {
  name: "postgres",
  placeholder: (index) => `$${index + 1}`,
  comparable: (column, type) =>
    isPadded(type) && !type.list
      ? sql`(${column}::bpchar)`
      : type.scalar === "json" && !type.list
        ? jsonText(column)
        : servedAsText(type) || type.stored === "single"
          ? sortable(column, type)
          : column,
  sortable,
  print,
  // A view's columns, and a column whose NOT NULL is only in the declaration, may turn out empty.
  trusts: () => false,
  encode,
  parameter: (place, type) =>
    isEnum(type) || isMeant(type) ? place : sql`${place}::${type.list ? arrayType(type) : operandType(type)}`,
  encodeSet: (values, types) =>
    types.length === 1
      ? encodeArray(
          values.map(([value]) => value ?? null),
          types[0],
        )
      : // One JSON text for tuples: a parameter is one value, and arrays of several types would be several.
        JSON.stringify(values.map((tuple) => tuple.map((value) => (value === null ? null : String(value))))),
  set: (place, types) =>
    types.length === 1
      ? sql`SELECT unnest(${place}::${arrayType(types[0])})`
      : sql`SELECT ${commas(types.map((type, part) => sql`(tuple->>${whole(part)})::${operandType(type)}`))} FROM jsonb_array_elements(${place}::jsonb) AS tuple`,
  isIn: (value, place, type) =>
    isEnum(type) || isMeant(type)
      ? sql`${value} = ANY (${place})`
      : sql`${value} = ANY (${place}::${arrayType(type)})`,
  textMatch: {
    contains: (text, place) => sql`strpos(${text}, ${place()}::text) > 0`,
    startsWith: (text, place) => sql`starts_with(${text}, ${place()}::text)`,
    endsWith: (text, place) => sql`right(${text}, length(${place()}::text)) = ${place()}::text`,
    search: (text, place) =>
      sql`(${text} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM unnest(${place()}::text[]) AS word WHERE strpos(lower(${text}), word) = 0))`,
  },
  listMatch: {
    has: (list, place, type) => sql`${items(list, type)} && ${place}::${arrayType(type)}`,
    hasAny: (list, place, type) => sql`${items(list, type)} && ${place}::${arrayType(type)}`,
    hasAll: (list, place, type) => sql`${items(list, type)} @> ${place}::${arrayType(type)}`,
  },
  figures: {
    measure: (measure, column, type) =>
      measure === "min" || measure === "max" ? extreme(measure, column, type) : total(measure, column, type),
    plain: (column, type) =>
      type.scalar === "timestamp" && type.stored === "local"
        ? sql`(${column} AT TIME ZONE 'UTC')`
        : type.scalar === "float"
          ? double(column, type)
          : sortable(column, type),
    settle,
    sum: (column) => sql`coalesce(sum(${column}), 0)`,
  },
  row: (alias) => sql`${alias}.ctid`,
  character: (code) => sql`chr(${code})`,
  habits: {
    missingAre: "greatest",
    keepOrder: false,
    rememberRows: true,
    readAtOnce: true,
    fillsRows: true,
    boundsAll: false,
    sievesJoined: false,
  },
  related: {
    weighsValues: true,
    // The planner expects ten values in an array that it does not know. As a filter the array would be searched from
    // its start for each row, and a subquery is hashed. PostgreSQL takes each comparison as a number for rarely true:
    // few rows are left.
    isAmongFew: (value, query, isIndexed) =>
      isIndexed
        ? sql`${value} = ANY (ARRAY(${query}))`
        : sql`((${value} IN (SELECT unnest(ARRAY(${query}))))::int = 1 AND (${value} IS NOT NULL)::int = 1)`,
    // For a limit that it does not know it would look for the way to the first rows.
    startOf: (query, wanted, { most, alias }) =>
      sql`WITH ${alias} AS MATERIALIZED (${query} LIMIT ${most}) SELECT * FROM ${alias} LIMIT ${wanted}`,
    // With an OFFSET it is neither made a join nor hashed.
    existsFor: (from, isRelated, tests) =>
      sql`EXISTS (SELECT 1 FROM ${from} WHERE ${allOf([isRelated, ...tests])} OFFSET 0)`,
  },
  // Takes half the time of concat.
  sideBySide: (texts) => sql`(${join(texts, sql` || `)})`,
  indexOf: (text, part) => sql`strpos(${text}, ${part})`,
  json: {
    members: (object) => ({
      rows: sql`json_each(${object}) WITH ORDINALITY AS "change"("key", "value", "place")`,
      order: sql` ORDER BY "change"."place"`,
    }),
    stored: (text) => sql`CAST(${text} AS json)`,
  },
  made: {
    columnType,
    // `numeric(12,2)` and `text COLLATE "C"`.
    shownType: (type, precision) =>
      render(columnType(type, precision), () => "")
        .text.replace(/^timestamptz\b/, "timestamp with time zone")
        .replace(/^time(?=$|\[)/, "time without time zone")
        .replace(/^numeric\((\d+), (\d+)\)/, "numeric($1,$2)"),
    options: sql``,
    check: () => undefined,
    bytes: (hex) => `'\\x${hex}'`,
    now: {
      date: "(now() AT TIME ZONE 'UTC')::date",
      time: "(now() AT TIME ZONE 'UTC')::time",
      timestamp: "now()",
    },
    altersConstraints: true,
    countsColumns: true,
    unlessThere: sql`IF NOT EXISTS `,
    keepsNeeded: true,
    boundsIndexRows: true,
    start: (table) =>
      sql`(SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), oid, pg_relation_filenode(${table})) FROM pg_catalog.pg_database WHERE datname = current_database())`,
    randomEpoch: sql`left(replace(CAST(gen_random_uuid() AS text), '-', ''), 10)`,
    logOrder: "position",
    lock: (table) => `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
  },
  writes: {
    // Which transaction wrote the row (documentation, section 5.6).
    rowVersion: (column) => sql`CAST(${column("xmin")} AS text)`,
    contentVersion: (column, columns) =>
      sql`substr(encode(sha256(convert_to(CAST(ROW(${commas([...columns].map(column))}) AS text), 'UTF8')), 'hex'), 1, 32)`,
    readsBack: true,
    returned: sql`, xmin`,
    // An INSERT made the row if no transaction has deleted or locked it.
    isNew: sql`(xmax = 0)`,
    forUpdate: sql` FOR UPDATE`,
    store: encode,
  },
}

function columnType(type: ColumnType, precision: number | undefined): Fragment {
  const own =
    type.scalar === "decimal" && precision !== undefined
      ? sql`numeric(${whole(precision)}, ${whole(type.scale ?? 0)})`
      : columnTypes[type.scalar]
  return type.list ? sql`${own}[]` : isText(type) ? sql`${own} COLLATE "C"` : own
}

/** For values as frequent as others of their columns: what suits all of them suits these, and is planned once. */
export const postgresGeneric: Dialect = {
  ...postgres,
  habits: { ...postgres.habits, boundsAll: true },
}

/** For what may be slow: the rows are found once, however many there are and however they are sorted. */
export const postgresIdempotency: Dialect = {
  ...postgres,
  habits: { ...postgres.habits, readAtOnce: false },
}

const columnTypes: Readonly<Record<ColumnType["scalar"], Fragment>> = {
  text: sql`text`,
  email: sql`text`,
  url: sql`text`,
  slug: sql`text`,
  oneOf: sql`text`,
  integer: sql`integer`,
  int64: sql`bigint`,
  float: sql`double precision`,
  decimal: sql`numeric`,
  boolean: sql`boolean`,
  date: sql`date`,
  time: sql`time`,
  timestamp: sql`timestamptz`,
  uuid: sql`uuid`,
  json: sql`json`,
  bytes: sql`bytea`,
  row: sql`tid`,
}

/** For an enumeration of the database: a parameter without a type takes the column's, and an index serves. */
const isEnum = ({ scalar, stored, list }: ColumnType): boolean =>
  scalar === "oneOf" && stored === "cast" && !list

/** Shown as the database writes it. */
const isCast = ({ stored }: ColumnType): boolean =>
  stored === "cast" || stored === "unordered" || stored === "folded" || stored === "domain"

/** A foreign key to a text that the database compares in its own way: a parameter without a type takes the column's. */
const isMeant = ({ stored, refers, list }: ColumnType): boolean =>
  stored === "folded" && refers === true && !list

/** Compared by the database's own operators, which overlook blanks at the end, as its casts to text do. */
const isPadded = ({ stored }: ColumnType): boolean => stored === "padded"

const servedAsText = (type: ColumnType): boolean =>
  isCast(type) && !isEnum(type) && !isMeant(type) && !type.list

function operandType(type: ColumnType): Fragment {
  if (type.scalar === "timestamp" && type.stored === "local") return sql`timestamp`
  if (isPadded(type)) return sql`bpchar`
  return isCast(type) ? sql`text` : columnTypes[type.scalar]
}

function arrayType(type: ColumnType | undefined): Fragment {
  invariant(type !== undefined, "a set has a type")
  return sql`${operandType(type)}[]`
}

/** Whatever its element type, as an array of the operands' type; of an equal type this is no cast, and an index serves. */
const items = (list: Fragment, type: ColumnType): Fragment =>
  type.stored === "single"
    ? sql`${list}::text[]::float8[]`
    : type.stored === "folded"
      ? sql`(${list}::text[] COLLATE "C")`
      : sql`${list}::${arrayType(type)}`

/** The value of a number of 32 bits is its shortest decimal, as PostgreSQL writes it: 0.1, not 0.10000000149011612. */
const double = (value: Fragment, { stored }: ColumnType): Fragment =>
  stored === "single" ? sql`${value}::text::float8` : sql`${value}::float8`

function sortable(column: Fragment, type: ColumnType): Fragment {
  if (type.list) return column
  if (type.stored === "single") return sql`(${double(column, type)})`
  if (isPadded(type)) return sql`(${column}::bpchar::text COLLATE "C")`
  if (isCast(type)) return sql`(${column}::text COLLATE "C")`
  return isText(type) ? sql`(${column} COLLATE "C")` : column
}

/**
 * JSON text of a value whose type PostgreSQL finds when the statement runs, as other programs may have changed it. An
 * operator or a cast stands wherever the text would not be quoted, or the value would not be escaped. On the declared
 * type it changes nothing and costs next to nothing. On another type the statement fails, or PostgreSQL converts the
 * value.
 */
function print(value: Fragment, type: ColumnType): Printed {
  const printed = printOne(value, type)
  return printed.partial
    ? { ...printed, position: sql`'["text",' || to_json(${value}::text)::text || ']'` }
    : printed
}

function printOne(value: Fragment, type: ColumnType): Printed {
  if (type.list) return printList(value, type)
  if (type.values) return printChoice(value, type.values)
  if (isPadded(type)) return { text: sql`to_json(${value}::bpchar::text)::text`, partial: false }
  if (isCast(type)) return { text: sql`to_json(${value}::text)::text`, partial: false }
  const bare = keyText(value, type)
  switch (type.scalar) {
    case "integer":
      return {
        text: sql`CASE WHEN ${value} BETWEEN -2147483648 AND 2147483647 THEN ${bare}::text END`,
        inId: bare,
        partial: true,
      }
    case "boolean":
      return { text: sql`(${value} AND TRUE)::text`, partial: false }
    case "json":
      return { text: jsonText(value), partial: false }
    case "int64":
    case "uuid":
    case "row":
      return { text: quoted(bare), bare, inId: bare, partial: false }
    case "float":
      // Adding nothing makes -0 of it 0.
      return {
        text: sql`CASE WHEN ${value} BETWEEN -${greatestDouble} AND ${greatestDouble} THEN (${double(value, type)} + 0)::text END`,
        partial: true,
      }
    case "decimal": {
      // Infinite values and NaN have no scale.
      const bare = sql`CASE WHEN scale(${value}) IS NOT NULL THEN ${digits(value, type.scale)} END`
      return { text: quoted(bare), bare, partial: true }
    }
    case "bytes":
      return { text: quoted(sql`translate(encode(${value}, 'base64'), E'\\n', '')`), partial: false }
    case "date":
      return {
        text: sql`CASE WHEN ${value} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN to_json(${bare})::text END`,
        inId: bare,
        partial: true,
      }
    case "time":
      return {
        text: sql`CASE WHEN ${value} < TIME '24:00' THEN to_json(${value}::time)::text END`,
        partial: true,
      }
    case "timestamp":
      return { text: printTimestamp(value, type), partial: true }
    default:
      return { text: sql`to_json(${value}::text)::text`, inId: bare, partial: false }
  }
}

/** As a part of an id, or in quotes: of the declared type what it was, and never what would have to be escaped. */
function keyText(value: Fragment, { scalar }: ColumnType): Fragment {
  switch (scalar) {
    case "integer":
    case "int64":
      return sql`(${value} | 0)`
    case "date":
      return sql`(${value} + 0)`
    case "uuid":
      return sql`${value}::uuid`
    default:
      return value
  }
}

/** JSON `null` is a missing value; a column of the type `json` keeps blanks around it. */
const jsonText = (value: Fragment): Fragment =>
  sql`nullif(btrim(to_json(${value})::text, E' \\t\\n\\r'), 'null')`

const quoted = (value: Fragment): Fragment => sql`'"' || ${value} || '"'`

/** One of the declared values: a type of the database may have got others since, and a column may have lost its CHECK. */
function printChoice(value: Fragment, values: readonly string[]): Printed {
  const isDeclared = sql`${value}::text COLLATE "C" IN (${commas(values.map(literal))})`
  return { text: sql`CASE WHEN ${isDeclared} THEN to_json(${value}::text)::text END`, partial: true }
}

const digits = (value: Fragment, scale: number | undefined): Fragment =>
  scale === undefined ? sql`trim_scale(${value})` : sql`round(${value}, ${whole(scale)})`

function printTimestamp(value: Fragment, { stored }: ColumnType): Fragment {
  if (stored === "local")
    return sql`CASE WHEN ${value} >= TIMESTAMP '0001-01-01' AND ${value} < TIMESTAMP '9999-12-31' + INTERVAL '1 day' THEN rtrim(to_json(${value}::timestamp)::text, '"') || 'Z"' END`
  return sql`CASE WHEN ${value} >= TIMESTAMPTZ '0001-01-01Z' AND ${value} < TIMESTAMPTZ '9999-12-31Z' + INTERVAL '1 day' THEN rtrim(to_json(${value}::timestamptz AT TIME ZONE 'UTC')::text, '"') || 'Z"' END`
}

function printList(value: Fragment, type: ColumnType): Printed {
  const item = print(sql`item.value`, itemType(type)).text
  const missing = sql`CASE WHEN bool_or((${item}) IS NULL) THEN NULL ELSE '[' || coalesce(string_agg(${item}, ',' ORDER BY item.place), '') || ']' END`
  const all = sql`(SELECT ${missing} FROM unnest(${value}) WITH ORDINALITY AS item(value, place))`
  return {
    text: sql`CASE WHEN ${value} IS NOT NULL AND coalesce(array_ndims(${value}), 1) = 1 THEN ${all} END`,
    partial: true,
  }
}

// Parameters

function encode(value: Value, type: ColumnType): Parameter {
  if (value === null) return null
  if (type.list) return encodeArray(value as readonly Value[], type)
  return encodeOne(value, type)
}

/** The position of a value without a JSON text is PostgreSQL's own text of it. */
const encodeOne = (value: Value, type: ColumnType | undefined): string =>
  Array.isArray(value)
    ? String(value[1])
    : type?.scalar === "bytes"
      ? `\\x${Buffer.from(String(value), "base64").toString("hex")}`
      : String(value)

/** An array literal (PostgreSQL documentation, section 8.15.2). */
const encodeArray = (values: readonly Value[], type: ColumnType | undefined): string =>
  `{${values.map((value) => (value === null ? "NULL" : `"${encodeOne(value, type).replace(/["\\]/g, "\\$&")}"`)).join()}}`

// Measures

function extreme(measure: "min" | "max", column: Fragment, type: ColumnType): AggregatedColumn {
  // Versions before 18 have neither of uuid, and no version has them of boolean.
  const value = type.scalar === "uuid" ? sql`${column}::text COLLATE "C"` : sortable(column, type)
  const least = type.scalar === "boolean" ? sql`bool_and(${value})` : sql`min(${value})`
  const greatest = type.scalar === "boolean" ? sql`bool_or(${value})` : sql`max(${value})`
  return { parts: [measure === "min" ? least : greatest], print: ([found = sql`NULL`]) => print(found, type) }
}

function total(measure: "sum" | "avg", column: Fragment, type: ColumnType): AggregatedColumn {
  // As many numbers of 32 bits as a table can hold have a sum that is far from the greatest double.
  if (type.scalar === "float" && type.stored !== "single")
    return doubleTotal(measure, double(column, type), (value) =>
      print(value, measure === "avg" ? plainFloat : type),
    )
  const value = type.scalar === "float" ? double(column, type) : keyText(column, type)
  const sum = sql`sum(${value})`
  if (measure === "avg" && type.scalar === "decimal")
    return {
      parts: [sum, sql`count(${column})`],
      print: ([found = sql`NULL`, count = sql`NULL`]) => print(mean(found, count), plainFloat),
    }
  if (measure === "avg")
    return {
      parts: [sql`${sum}::float8 / nullif(count(${column}), 0)`],
      print: ([found = sql`NULL`]) => print(found, plainFloat),
    }
  return {
    parts: [sum],
    print: ([found = sql`NULL`]) =>
      type.scalar === "integer"
        ? {
            text: sql`CASE WHEN ${found} BETWEEN -9223372036854775808 AND 9223372036854775807 THEN ${quoted(found)} END`,
            partial: true,
          }
        : type.scalar === "int64"
          ? { text: quoted(found), partial: false }
          : print(found, type),
  }
}

// Exact arithmetic in PostgreSQL, whose numeric is exact already.
function settle(numbers: Numbers, range?: Range): Fragment {
  return range ? within(numeric(numbers), range) : numeric(numbers)
}

function numeric(numbers: Numbers): Fragment {
  if (numbers.kind !== "arithmetic") return sql`(${numbers.value})::numeric`
  return sql`(${join(numbers.of.map(numeric), signs[numbers.operator])})`
}

const signs = { add: sql` + `, subtract: sql` - `, multiply: sql` * ` } as const

/**
 * Values out of range, or not a number, move to one of two ends just beyond it, and the ends become NULL. The value,
 * which may be slow to compute, stands in the text only once. A missing value goes to an end as well, as GREATEST
 * passes it over.
 */
function within(value: Fragment, { scalar, scale, least, greatest }: Range): Fragment {
  const [below, above] = [decimal(least - 1n, scale), decimal(greatest + 1n, scale)]
  const rounded = sql`round(${value}, ${whole(scale)})`
  const found = sql`nullif(nullif(least(greatest(${rounded}, ${below}), ${above}), ${below}), ${above})`
  return scalar === "decimal" ? found : sql`${found}::${types[scalar]}`
}

const types = { integer: sql`integer`, int64: sql`bigint` } as const

const decimal = (units: bigint, scale: number): Fragment => sql`${literal(`${units}e-${scale}`)}::numeric`

// PostgreSQL's arithmetic of doubles fails where a result is too great or too small. One such value would end the whole
// answer, so these sums and averages give NULL instead.

/** Beyond it are infinity, NaN, and numbers that no double holds. */
const greatestDouble = sql`1.7976931348623157e308`
const leastDouble = sql`'5e-324'::float8`

/** As many values below it as a table can hold have a sum below the greatest double. */
const great = sql`1e290::float8`
/** Two to the power of 64, and of -64: great values lose no digit by such a factor. */
const [much, little] = [sql`18446744073709551616::float8`, sql`5.421010862427522e-20::float8`]
/** Two to the power of 960: lesser values are still doubles after a multiplication by `much`. */
const scaledEnd = sql`9.7453140114e288::float8`

/**
 * Great values are added up apart, each divided by so much that no sum of them is too great.
 * @param print of a double
 */
function doubleTotal(
  measure: "sum" | "avg",
  value: Fragment,
  print: (value: Fragment) => Printed,
): AggregatedColumn {
  const isUsual = sql`abs(${value}) < ${great}`
  const usual = sql`sum(CASE WHEN ${isUsual} THEN ${value} WHEN ${value} IS NOT NULL THEN 0 END)`
  const rest = sql`sum(${value} * ${little}) FILTER (WHERE NOT ${isUsual})`
  if (measure === "sum")
    return {
      parts: [usual, rest],
      print: ([some = sql`NULL`, others = sql`NULL`]) => print(together(some, others)),
    }
  return {
    parts: [usual, rest, sql`count(${value})`],
    print: ([some = sql`NULL`, others = sql`NULL`, count = sql`NULL`]) =>
      print(together(quotient(some, count), sql`(${others} / ${count})`)),
  }
}

function together(usual: Fragment, scaled: Fragment): Fragment {
  const rest = sql`${scaled} * ${much}`
  const sum = sql`CASE WHEN abs(${rest}) <= ${greatestDouble} - abs(${usual}) THEN ${rest} + ${usual} END`
  return sql`(CASE WHEN ${scaled} IS NULL THEN ${usual} WHEN abs(${scaled}) < ${scaledEnd} THEN ${sum} END)`
}

/** 0 where it is nearer to 0 than to any other double, without asking for more than half of the least one. */
function quotient(sum: Fragment, count: Fragment): Fragment {
  return sql`(CASE WHEN abs(${sum}) > ${count} * ${leastDouble} - abs(${sum}) THEN ${sum} / ${count} ELSE 0 END)`
}

/** For exact numbers with any digits. */
function mean(sum: Fragment, count: Fragment): Fragment {
  // Digits behind the last that a double has would be too small for one by themselves.
  const whole = sql`round(${sum}, 323)::float8`
  const exact = sql`(${sum} / ${count})`
  return sql`(CASE WHEN abs(${sum}) <= ${greatestDouble} THEN ${quotient(whole, count)} WHEN abs${exact} <= ${greatestDouble} THEN ${exact}::float8 END)`
}
