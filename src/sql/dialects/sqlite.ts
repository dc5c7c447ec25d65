// SQLite, 3.44 or later. Tables that Bifold makes are STRICT and hold each scalar in one form (docs/decisions/0043);
// what other people's columns may hold is sqlite-affinity.ts.

import { invariant } from "../../base/invariant.ts"
import type { TableName } from "../../model/model.ts"
import type { Value } from "../../plan/read-plan.ts"
import { type ColumnType, isText, itemType } from "../column-type.ts"
import type { CertainColumns, CommonForm, Dialect, Printed } from "../dialect.ts"
import { allOf, commas, type Fragment, join, literal, name, sql, whole } from "../fragment.ts"
import type { Parameter } from "../statement.ts"
import { affinityComparable, affinityLikely, printAs, sqliteFigures } from "./sqlite-affinity.ts"
import { printScaled, quoted, scaledParts } from "./sqlite-print.ts"

// Values of tables that are not STRICT, in the form that columns usually hold them in. One test per row shows that it
// has no others; SQLite runs its operators faster than functions. The text is exactly the text of sqlite-affinity.ts. A
// sign before a column takes its affinity from the comparison: a text of digits is no number.

/** Undefined for types whose values come in several common forms. */
function commonForm(value: Fragment, type: ColumnType, optional: boolean): CommonForm | undefined {
  if (type.stored === "plain" || type.list) return undefined
  const isSame = optional ? sql`IS` : sql`=`
  const truncated = sql`(${value} | 0)`
  switch (type.scalar) {
    case "integer":
      // The shifts take all but 32 bits, and a fraction.
      return {
        test: sql`${value} << 32 >> 32 ${isSame} +${value}`,
        text: [optional ? orNull(truncated) : truncated],
      }
    case "int64":
      return {
        test: sql`${value} | 0 ${isSame} +${value}`,
        text: optional ? [orNull(quoted(truncated))] : ['"', truncated, '"'],
      }
    case "decimal":
      return commonDecimal(value, type, optional)
    case "text":
    case "email":
    case "url":
    case "slug": {
      // For NULL the text is `null`.
      const text = [sql`json_quote(CAST(${value} AS TEXT))`]
      return optional ? { text } : { test: sql`${value} IS NOT NULL`, text }
    }
    case "boolean":
      return { test: isWhole(value, 1), text: [sql`iif(${value}, 'true', 'false')`], alone: true }
    case "float":
      return commonFloat(value)
    case "date":
      return { test: isMoment(value, sql`date`), text: ['"', value, '"'], alone: true }
    case "timestamp":
      return {
        test: isMoment(value, sql`datetime`),
        text: ['"', sql`replace(${value}, ' ', 'T')`, 'Z"'],
        alone: true,
      }
    default:
      return undefined
  }
}

/** Significant decimal digits that every double holds. */
const mostDigits = 15

/** The double that is nearest to a decimal of the scale, and not negative. */
function commonDecimal(value: Fragment, { scale }: ColumnType, optional: boolean): CommonForm | undefined {
  if (scale === undefined || scale > mostDigits) return undefined
  const unit = whole(10 ** scale)
  const units = sql`CAST(${value} * ${unit} + 0.5 AS INTEGER)`
  const range = sql`+${value} BETWEEN 0 AND ${whole(10 ** (mostDigits - scale) - 1)}`
  const test = sql`${range} AND ${units} / ${unit}.0 = +${value}`
  const parts =
    scale === 0 ? [units] : [sql`${units} / ${unit}`, ".", sql`substr(${unit} + ${units} % ${unit}, 2)`]
  if (!optional) return { test, text: ['"', ...parts, '"'] }
  const texts = parts.map((part) => (typeof part === "string" ? literal(part) : sql`(${part})`))
  return { test: sql`(${test} OR ${value} IS NULL)`, text: [orNull(quoted(join(texts, sql` || `)))] }
}

const orNull = (text: Fragment): Fragment => sql`coalesce(${text}, 'null')`

/** An INTEGER from 0 on: of a REAL the half stays, so that it is another number. */
const isWhole = (value: Fragment, most: number): Fragment =>
  sql`+${value} BETWEEN 0 AND ${whole(most)} AND (${value} * 2 + 1) / 2 = +${value}`

/** A whole number, or up to six digits after the point: no more than `format` shows, so that they need not be read back. */
function commonFloat(value: Fragment): CommonForm {
  const range = sql`+${value} BETWEEN -1000000000 AND 1000000000`
  const millionths = sql`(CAST((${value} + 1000000000) * 1000000 + 0.5 AS INTEGER) - 1000000000000000)`
  return {
    test: sql`${range} AND ${millionths} / 1000000.0 = +${value}`,
    text: [sql`format('%.15g', ${value})`],
    alone: true,
  }
}

/** The text that SQLite's own function makes, in the years from 1 on. */
const isMoment = (value: Fragment, made: Fragment): Fragment =>
  sql`+${value} COLLATE BINARY >= '0001-' AND ${made}(${value}) = +${value} COLLATE BINARY`

/** As a part of an id that is no text: the value itself. */
function commonKeyPart(value: Fragment, { scalar }: ColumnType): Fragment | undefined {
  switch (scalar) {
    case "integer":
      return isWhole(value, 2_147_483_647)
    case "int64":
    case "row":
      return sql`typeof(${value}) = 'integer'`
    default:
      return undefined
  }
}

// From a plan's canonical values to what SQLite compares with.
function encode(value: Value, type: ColumnType): Parameter {
  if (value === null) return null
  if (type.list) return encodeList(value, type)
  if (Array.isArray(value)) return encodePosition(value.map(String))
  if (type.scalar === "decimal") return encodeDecimal(String(value), type)
  if (type.scalar === "timestamp") return fixedTimestamp(String(value))
  if (type.scalar === "time") return fixedTime(String(value))
  if (type.scalar === "row") return BigInt(String(value))
  if (type.scalar === "float") return Number(value)
  if (type.scalar === "bytes") return Buffer.from(String(value), "base64")
  if (typeof value === "boolean") return value ? 1n : 0n
  // A JavaScript number is bound as REAL, and a whole number is not that.
  if (typeof value === "number") return BigInt(value)
  return typeof value === "object" ? null : value
}

/** For a value without JSON text: SQLite's name of its type, and its text. */
function encodePosition([kind, text = ""]: readonly string[]): Parameter {
  if (kind === "integer") return BigInt(text)
  if (kind === "real") return Number(text.replace("Inf", "Infinity"))
  return kind === "blob" ? Buffer.from(text, "hex") : text
}

/**
 * A column of an unmanaged table keeps a decimal as it is written, as far as its affinity lets it. A point would make a
 * double of it.
 */
const store = (value: Value, type: ColumnType): Parameter =>
  type.scalar === "decimal" && type.stored !== "plain" && value !== null && !type.list
    ? String(value).replace(/\.0+$/, "")
    : encode(value, type)

/** A list is held as the JSON array that it is in answers. */
const encodeList = (value: Value, type: ColumnType): string =>
  `[${(Array.isArray(value) ? (value as readonly Value[]) : [value]).map((item) => encodeItem(item, type)).join()}]`

function encodeItem(value: Value, type: ColumnType): string {
  if (type.scalar === "json") return String(value)
  if (type.scalar === "int64" || type.scalar === "decimal") return JSON.stringify(String(value))
  return JSON.stringify(value)
}

/** A JSON array of the values, of arrays where a value has several parts; `set` in sqlite.ts takes it apart. */
function encodeSet(values: readonly (readonly Value[])[], types: readonly ColumnType[]): Parameter {
  const tuples = values.map((tuple) => types.map((type, part) => encodeElement(tuple[part], type)).join())
  return `[${tuples.map((tuple) => (types.length === 1 ? tuple : `[${tuple}]`)).join()}]`
}

/** An element of the JSON array that `set` takes apart, in the form that columns of the type compare with. */
function encodeElement(value: Value | undefined, type: ColumnType): string {
  invariant(value !== undefined, "a tuple has a value for each of its types")
  if (type.list) return encodeItem(value, itemType(type))
  const parameter = encode(value, type)
  if (typeof parameter === "bigint") return String(parameter)
  // A whole number in JSON would be an INTEGER, which compares equal to the REAL all the same.
  return JSON.stringify(parameter)
}

function encodeDecimal(text: string, { stored, scale }: ColumnType): Parameter {
  const [before = "0", after = ""] = text.split(".")
  if (stored === "plain" && scale !== undefined) {
    invariant(after.length <= scale, "a decimal operand has no more digits than its scale")
    return BigInt(before + after.padEnd(scale, "0"))
  }
  const exact = /^0*$/.test(after) ? BigInt(before) : undefined
  return exact !== undefined && BigInt.asIntN(64, exact) === exact ? exact : Number(text)
}

const fixedTimestamp = (text: string): string => `${text.slice(0, 11)}${fixedTime(text.slice(11, -1))}Z`
const fixedTime = (text: string): string => `${text.slice(0, 8)}.${text.slice(9).padEnd(6, "0")}`

// Columns of STRICT tables hold only values of their type (https://www.sqlite.org/stricttables.html). Their text is
// judged no further than the type leaves open.
function printCertain(value: Fragment, type: ColumnType): Printed {
  const judged = printAs(value, type)
  if (type.stored !== "plain" || type.list) return judged
  switch (type.scalar) {
    case "integer": {
      const fits = sql`${value} BETWEEN -2147483648 AND 2147483647`
      const text = sql`CASE WHEN ${fits} THEN ${value} END`
      return { ...judged, text, inId: text, fits }
    }
    case "int64":
    case "row":
      return { ...judged, text: quoted(value), bare: value, inId: value }
    case "decimal": {
      const bare = printScaled(value, type.scale ?? 0)
      return { ...judged, text: quoted(bare), bare }
    }
    default:
      return isText(type) && !type.values
        ? { ...judged, text: sql`CASE WHEN ${value} IS NOT NULL THEN json_quote(${value}) END` }
        : judged
  }
}

/** All of a field's JSON text: parts for the one function that joins the record's, as each operator would copy the text. */
function fieldCertain(
  value: Fragment,
  type: ColumnType,
  optional: boolean,
  mark: Fragment,
): readonly (string | Fragment)[] | undefined {
  if (type.stored !== "plain" || type.list) return undefined
  const inQuotes = (parts: readonly (string | Fragment)[], bare: Fragment): readonly (string | Fragment)[] =>
    optional ? [sql`coalesce(${quoted(bare)}, 'null')`] : ['"', ...parts, '"']
  switch (type.scalar) {
    case "integer": {
      const none = optional ? sql` WHEN ${value} IS NULL THEN 'null'` : sql``
      return [
        sql`CASE WHEN ${value} BETWEEN -2147483648 AND 2147483647 THEN ${value}${none} ELSE ${mark} END`,
      ]
    }
    case "int64":
      return inQuotes([value], value)
    case "decimal": {
      const scale = type.scale ?? 0
      return inQuotes(scaledParts(value, scale), printScaled(value, scale))
    }
    default:
      // For NULL the type is `null`.
      return isText(type) && !type.values ? [sql`json_quote(${value})`] : undefined
  }
}

/**
 * Asked once for a statement, of the storage (`bifold_columns`).
 * @param typeOf as the table says it
 */
function holdTypes(
  table: TableName,
  columns: CertainColumns,
  typeOf: (type: ColumnType) => string,
): Fragment {
  const wanted = [...columns].map(([name, { type, optional }]) => [name, typeOf(type), optional ? 0 : 1])
  return sql`(SELECT bifold_columns(${literal(JSON.stringify([table.name, ...wanted]))}))`
}

export const sqlite: Dialect = {
  name: "sqlite",
  placeholder: () => "?",
  comparable: affinityComparable,
  sortable: affinityComparable,
  print: printAs,
  trusts: (type) => type.stored === "plain" && !type.computed,
  encode,
  parameter: (place) => place,
  encodeSet,
  set: (place, types) =>
    types.length === 1
      ? sql`SELECT "value" FROM json_each(${place})`
      : sql`SELECT ${commas(types.map((_, part) => sql`json_extract("value", ${literal(`$[${part}]`)})`))} FROM json_each(${place})`,
  isIn: (value, place) => sql`${value} IN (SELECT "value" FROM json_each(${place}))`,
  textMatch: {
    contains: (text, place) => sql`instr(${text}, ${place()}) > 0`,
    startsWith: (text, place) => sql`substr(${text}, 1, length(${place()})) = ${place()}`,
    // A text of no characters ends every text, but substr(…, -0) is the whole of it.
    endsWith: (text, place) =>
      sql`(${place()} = '' AND ${text} IS NOT NULL OR substr(${text}, -length(${place()})) = ${place()})`,
    search: (text, place) =>
      sql`(${text} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(${place()}) AS word WHERE instr(lower(${text}), word."value") = 0))`,
  },
  listMatch: {
    has: (list, place) =>
      sql`EXISTS (SELECT 1 FROM json_each(${list}) AS item WHERE item."value" IN (SELECT "value" FROM json_each(${place})))`,
    hasAny: (list, place) =>
      sql`EXISTS (SELECT 1 FROM json_each(${list}) AS item WHERE item."value" IN (SELECT "value" FROM json_each(${place})))`,
    hasAll: (list, place) =>
      sql`(${list} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(${place}) AS wanted WHERE wanted."value" NOT IN (SELECT "value" FROM json_each(${list}))))`,
  },
  figures: sqliteFigures,
  row: (alias, taken) => {
    const names = new Set([...taken].map((one) => one.toLowerCase()))
    const free = ["rowid", "_rowid_", "oid"].find((candidate) => !names.has(candidate))
    invariant(free !== undefined, "one of SQLite's three names for the row's identity is free")
    return sql`${alias}.${name(free)}`
  },
  character: (code) => sql`char(${code})`,
  habits: {
    missingAre: "least",
    keepOrder: true,
    rememberRows: false,
    readAtOnce: false,
    fillsRows: false,
    boundsAll: false,
    sievesJoined: true,
  },
  related: {
    weighsValues: false,
    startOf: (query, wanted) => sql`${query} LIMIT ${wanted}`,
    // Without a hint any index is as good to it as that on the relation.
    existsFor: (from, isRelated, tests) =>
      sql`EXISTS (SELECT 1 FROM ${from} WHERE ${allOf([isRelated, ...tests.map((test) => sql`likely(${test})`)])})`,
  },
  certain: {
    print: printCertain,
    field: fieldCertain,
    holds: (table, columns) => holdTypes(table, columns, typeNameOf),
    common: { field: commonForm, keyPart: commonKeyPart },
  },
  indexOf: (text, part) => sql`instr(${text}, ${part})`,
  json: {
    members: (object) => ({ rows: sql`json_each(${object}) AS "change"`, order: sql`` }),
    stored: (text) => text,
  },
  sideBySide: (texts) => sql`concat(${commas(texts)})`,
  writes: {
    rowVersion: (column, columns) =>
      sql`bifold_digest(${joined([...columns].map((one) => sql`quote(${column(one)})`))})`,
    readsBack: false,
    returned: sql``,
    forUpdate: sql``,
    orRefuse: sql` OR ABORT`,
    likely: affinityLikely,
    alike: (column, value) =>
      sql`(${column} = ${value} OR ${column} = ${value} COLLATE NOCASE OR ${column} = ${value} COLLATE RTRIM)`,
    store,
  },
  made: {
    columnType: (type) => typeTexts[typeNameOf(type)],
    // There are five types for all scalars: a comment in the table's definition, which SQLite keeps, says what they mean.
    shownType(type, precision) {
      const meaning = meaningOf(type, precision)
      return meaning === undefined ? typeNameOf(type) : `${typeNameOf(type)} /* ${meaning} */`
    },
    randomEpoch: sql`lower(hex(randomblob(5)))`,
    logOrder: "seq",
    options: sql` STRICT`,
    check: ({ scalar, list }) =>
      list || scalar === "json" ? "json" : scalar === "boolean" ? "bits" : undefined,
    bytes: (hex) => `x'${hex}'`,
    // In the stored forms of docs/decisions/0043-stored-forms.md.
    now: {
      date: "strftime('%Y-%m-%d', 'now')",
      time: "strftime('%H:%M:%f000', 'now')",
      timestamp: "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')",
    },
    altersConstraints: false,
    countsColumns: false,
    unlessThere: sql``,
    keepsNeeded: false,
    boundsIndexRows: false,
  },
}

/** A function takes some hundred arguments, and a table may have 2,000 columns (https://sqlite.org/limits.html). */
const mostArguments = 100

/** With a mark between each two, however many they are. */
function joined(texts: readonly Fragment[]): Fragment {
  if (texts.length <= mostArguments) return sql`concat_ws(char(31), ${commas(texts)})`
  const parts = Math.ceil(texts.length / mostArguments)
  return joined(
    Array.from({ length: parts }, (_, part) =>
      joined(texts.slice(part * mostArguments, (part + 1) * mostArguments)),
    ),
  )
}

/** For statements that may be slow: SQLite has no other place at which one that is running can be ended. */
export const sqliteWatched: Dialect = { ...sqlite, watch: sql`bifold_watch()` }

const typeTexts = { TEXT: sql`TEXT`, INTEGER: sql`INTEGER`, REAL: sql`REAL`, BLOB: sql`BLOB` } as const

/** Undefined of plain text, whichever scalar checks it. */
function meaningOf(type: ColumnType, precision: number | undefined): string | undefined {
  const { scalar, list, scale } = type
  const one =
    scalar === "decimal" ? `decimal(${precision ?? 18},${scale ?? 0})` : isText(type) ? "text" : scalar
  if (list) return `list of ${one}`
  return isText(type) ? undefined : one
}

const typeNameOf = (type: ColumnType): keyof typeof typeTexts => columnTypes[type.list ? "json" : type.scalar]

const columnTypes: Readonly<Record<ColumnType["scalar"], keyof typeof typeTexts>> = {
  text: "TEXT",
  email: "TEXT",
  url: "TEXT",
  slug: "TEXT",
  oneOf: "TEXT",
  integer: "INTEGER",
  int64: "INTEGER",
  float: "REAL",
  decimal: "INTEGER",
  boolean: "INTEGER",
  date: "TEXT",
  time: "TEXT",
  timestamp: "TEXT",
  uuid: "TEXT",
  json: "TEXT",
  bytes: "BLOB",
  row: "INTEGER",
}
