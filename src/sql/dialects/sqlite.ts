// SQLite, 3.44 or later. Tables that Bifold makes are STRICT and hold each scalar in one form (docs/decisions/0043);
// what other people's columns may hold is sqlite-affinity.ts.
import { invariant } from "../../base/invariant.ts"
import { type ColumnType, isText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, literal, name, sql } from "../fragment.ts"
import { affinityComparable, affinityLikely, printAs } from "./sqlite-affinity.ts"
import { sqliteFigures } from "./sqlite-arithmetic.ts"
import { commonForm, commonKeyPart } from "./sqlite-common.ts"
import { encode, encodeSet, store } from "./sqlite-parameters.ts"
import { fieldCertain, holdTypes, printCertain } from "./sqlite-strict.ts"

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
