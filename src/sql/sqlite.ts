// SQLite, 3.44 or later. Tables that Bifold makes are STRICT and hold each scalar in one form (docs/decisions/0043);
// what other people's columns may hold is sqlite-loose.ts.
import { invariant } from "../base/invariant.ts"
import { type ColumnType, plainFloat } from "./column-type.ts"
import type { Dialect, Measured } from "./dialect.ts"
import { commas, type Fragment, literal, name, sql, whole } from "./fragment.ts"
import { looseComparable, printLoose } from "./sqlite-loose.ts"
import { encode, encodeSet, store } from "./sqlite-parameters.ts"
import { printPlain, quoted } from "./sqlite-print.ts"

export const sqlite: Dialect = {
  name: "sqlite",
  placeholder: () => "?",
  comparable: looseComparable,
  sortable: looseComparable,
  print: (value, type) => (type.stored === "plain" ? printPlain(value, type) : printLoose(value, type)),
  trusts: (type) => type.stored === "plain",
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
  measure: (measure, column, type) =>
    measure === "min" || measure === "max"
      ? extreme(measure, column, type)
      : type.scalar === "float" || (type.scalar === "decimal" && type.scale === undefined)
        ? inexact(measure, column, type)
        : exact(measure, column, type),
  row: (alias, taken) => {
    const free = ["rowid", "_rowid_", "oid"].find((candidate) => !taken.has(candidate))
    invariant(free !== undefined, "one of SQLite's three names for the row's identity is free")
    return sql`${alias}.${name(free)}`
  },
  character: (code) => sql`char(${code})`,
  habits: {
    missingAre: "least",
    keepOrder: true,
    rememberRows: false,
    readAtOnce: false,
    sievesJoined: true,
  },
  sideBySide: (texts) => sql`concat(${commas(texts)})`,
  writes: {
    rowVersion: (column, columns) =>
      sql`bifold_digest(concat_ws(char(31), ${commas([...columns].map((one) => sql`quote(${column(one)})`))}))`,
    readsBack: false,
    returned: sql``,
    forUpdate: sql``,
    store,
  },
  made: { columnType: (type) => columnTypes[type.list ? "json" : type.scalar], options: sql` STRICT` },
}

/** For statements that may be slow: SQLite has no other place at which one that is running can be ended. */
export const sqliteWatched: Dialect = { ...sqlite, watch: sql`bifold_watch()` }

const columnTypes: Readonly<Record<ColumnType["scalar"], Fragment>> = {
  text: sql`TEXT`,
  email: sql`TEXT`,
  url: sql`TEXT`,
  slug: sql`TEXT`,
  oneOf: sql`TEXT`,
  integer: sql`INTEGER`,
  int64: sql`INTEGER`,
  float: sql`REAL`,
  decimal: sql`INTEGER`,
  boolean: sql`INTEGER`,
  date: sql`TEXT`,
  time: sql`TEXT`,
  timestamp: sql`TEXT`,
  uuid: sql`TEXT`,
  json: sql`TEXT`,
  bytes: sql`BLOB`,
  row: sql`INTEGER`,
}

// Measures

function extreme(measure: "min" | "max", column: Fragment, type: ColumnType): Measured {
  const value = looseComparable(column, type)
  return {
    parts: [measure === "min" ? sql`min(${value})` : sql`max(${value})`],
    print: ([found]) => sqlite.print(found ?? sql`NULL`, type),
  }
}

/** In whole units by halves of 32 bits, so that no number of rows overflows; bifold_sum puts the halves together. */
function exact(measure: "sum" | "avg", column: Fragment, type: ColumnType): Measured {
  const scale = type.scalar === "decimal" ? (type.scale ?? 0) : 0
  const unit = wholeUnits(looseComparable(column, type), type, scale)
  const sum = (high: Fragment, low: Fragment): Fragment => sql`bifold_sum(${high}, ${low}, ${whole(scale)})`
  return {
    parts: [sql`sum(${unit} >> 32)`, sql`sum(${unit} & 4294967295)`, sql`count(${unit})`],
    print: ([high = sql`NULL`, low = sql`NULL`, count = sql`NULL`]) => {
      if (measure === "avg") return printPlain(sql`(CAST(${sum(high, low)} AS REAL) / ${count})`, plainFloat)
      if (type.scalar === "decimal") return { text: quoted(sum(high, low)), partial: false }
      const fits = sql`${high} + (${low} >> 32) BETWEEN -2147483648 AND 2147483647`
      return { text: sql`CASE WHEN ${fits} THEN ${quoted(sum(high, low))} END`, partial: true }
    },
  }
}

function wholeUnits(value: Fragment, { stored }: ColumnType, scale: number): Fragment {
  if (stored === "plain") return value
  return scale === 0
    ? sql`CAST(${value} AS INTEGER)`
    : sql`CAST(round(${value} * ${whole(10 ** scale)}) AS INTEGER)`
}

function inexact(measure: "sum" | "avg", column: Fragment, type: ColumnType): Measured {
  const value = sql`CAST(${looseComparable(column, type)} AS REAL)`
  return {
    parts: [measure === "sum" ? sql`sum(${value})` : sql`avg(${value})`],
    print: ([found = sql`NULL`]) =>
      measure === "avg" ? printPlain(found, plainFloat) : sqlite.print(found, type),
  }
}
