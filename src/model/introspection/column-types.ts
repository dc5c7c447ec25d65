// Maps a column's type to a scalar, its limits, and its stored form (docs/guide/databases.md has the tables).
import { match } from "../../base/match.ts"
import type { FieldDeclaration } from "../declaration/declaration.ts"
import type { ScalarName } from "../scalars.ts"
import type { ColumnType, PostgresType, SqliteType } from "./catalog.ts"

/** The part of a field's declaration that follows from its column's type alone. */
export type FieldType = Pick<
  FieldDeclaration,
  "scalar" | "list" | "of" | "min" | "max" | "items" | "precision" | "scale" | "stored" | "readonly"
>

interface TypeNote {
  readonly what: string
  readonly reason: string
  readonly hint?: string
}

/** Without a type the column cannot be served, and the note says why. */
interface ReadType {
  readonly type?: FieldType
  readonly note?: TypeNote
}

/** The shared enumeration that a type of this schema and name is; undefined when its values are no choice. */
export type FindEnum = (schema: string, name: string) => string | undefined

export function readType(type: ColumnType, findEnum: FindEnum): ReadType {
  return match(type, { sqlite: readSqliteType, postgres: (own) => readPostgresType(own, findEnum) })
}

// --- SQLite: names people use first, then the rules of affinity (https://sqlite.org/datatype3.html, section 3.1) ---

const sqliteNames: Partial<Readonly<Record<ScalarName, readonly string[]>>> = {
  boolean: ["BOOL", "BOOLEAN", "BIT"],
  date: ["DATE"],
  time: ["TIME", "TIME WITHOUT TIME ZONE"],
  timestamp: [
    "DATETIME",
    "DATETIME2",
    "SMALLDATETIME",
    "TIMESTAMP",
    "TIMESTAMPTZ",
    "TIMESTAMP WITH TIME ZONE",
    "TIMESTAMP WITHOUT TIME ZONE",
  ],
  decimal: ["NUMERIC", "DECIMAL", "DEC", "NUMBER", "MONEY", "CURRENCY"],
  int64: [
    "BIGINT",
    "INT8",
    "BIG INT",
    "UNSIGNED BIG INT",
    "BIGSERIAL",
    "LONG",
    "UNSIGNED INT",
    "INT UNSIGNED",
  ],
  integer: ["SERIAL", "YEAR"],
  float: ["FLOATING POINT", "DOUBLE PRECISION"],
  bytes: ["BYTEA", "BINARY", "VARBINARY", "IMAGE", "GEOMETRY", "POINT", "LINESTRING", "POLYGON"],
  json: ["JSON", "JSONB"],
  uuid: ["UUID", "GUID", "UNIQUEIDENTIFIER"],
  text: ["", "ANY", "STRING", "INTERVAL"],
}

const scalarOfSqliteName: ReadonlyMap<string, ScalarName> = new Map(
  Object.entries(sqliteNames).flatMap(([scalar, names]) =>
    names.map((name) => [name, scalar as ScalarName] as const),
  ),
)

const affinities: readonly (readonly [pattern: RegExp, scalar: ScalarName])[] = [
  [/INT/, "integer"],
  [/CHAR|CLOB|TEXT/, "text"],
  [/BLOB/, "bytes"],
  [/REAL|FLOA|DOUB/, "float"],
]

function readSqliteType(type: SqliteType): ReadType {
  const [name, sizes] = splitDeclared(type.declared)
  const known = scalarOfSqliteName.get(name) ?? affinityOf(name)
  const stored = storedForm(type, name, known ?? "text")
  if (known === undefined) {
    const reason = `SQLite has no type called ${type.declared}, so the column may hold anything`
    const hint = "Change the field in a service file when it holds something else."
    return { type: { scalar: "text", ...stored }, note: { what: "served as text", reason, hint } }
  }
  const wide = known === "integer" && type.wide
  if (type.sampled) {
    const scalar = wide ? "int64" : known
    const reason = "an expression of a view has no declared type, and its rows hold such values"
    const hint = "Change the field in a service file when it comes to hold something else."
    return { type: { scalar, ...stored }, note: { what: `served as ${scalar}`, reason, hint } }
  }
  if (wide) {
    const reason = `declared ${type.declared}, it holds whole numbers beyond 32 bits`
    return {
      type: { scalar: "int64", ...stored },
      note: { what: "served as int64, which is a string", reason },
    }
  }
  return { type: { scalar: known, ...readSizes(known, sizes), ...stored } }
}

/** `NVARCHAR(160)` into `NVARCHAR` and 160. */
function splitDeclared(declared: string): readonly [name: string, sizes: readonly number[]] {
  const [name = "", inside = ""] = declared.toUpperCase().split(/[()]/)
  const sizes = inside.split(",").map((size) => size.trim())
  return [
    name.replace(/\s+/g, " ").trim(),
    sizes.every((size) => /^\d{1,6}$/.test(size)) ? sizes.map(Number) : [],
  ]
}

function readSizes(scalar: ScalarName, [first, second]: readonly number[]): Partial<FieldType> {
  if (first === undefined || first === 0) return {}
  if (scalar === "text") return { max: first }
  return scalar === "decimal" ? readDigits(first, second ?? 0) : {}
}

/** Without the affinity of text, the column keeps a number as a number, and the number is shown as text. */
function storedForm(type: SqliteType, name: string, scalar: ScalarName): Pick<FieldType, "stored"> {
  if (isPlain(type)) return {}
  if (scalar === "text" && affinityOf(name) !== "text") return { stored: "cast" }
  return { stored: (scalar === "text" && collated[type.collation ?? ""]) || "loose" }
}

const collated: Readonly<Record<string, "nocase" | "rtrim">> = { NOCASE: "nocase", RTRIM: "rtrim" }

const affinityOf = (name: string): ScalarName | undefined =>
  affinities.find(([pattern]) => pattern.test(name))?.[1]

/** Types of STRICT tables (https://sqlite.org/stricttables.html) whose values are as Bifold itself stores them. */
const isPlain = ({ strict, declared, rowid, collation }: SqliteType): boolean =>
  rowid || (strict && collation === undefined && /^(int|integer|real|text|blob)$/i.test(declared))

// --- PostgreSQL ---

/** By the names of PostgreSQL's own types. */
export const postgresNames: ReadonlyMap<string, ScalarName> = new Map([
  ["int2", "integer"],
  ["int4", "integer"],
  ["int8", "int64"],
  ["float4", "float"],
  ["float8", "float"],
  ["numeric", "decimal"],
  ["bool", "boolean"],
  ["text", "text"],
  ["varchar", "text"],
  ["bpchar", "text"],
  ["date", "date"],
  ["time", "time"],
  ["timestamp", "timestamp"],
  ["timestamptz", "timestamp"],
  ["uuid", "uuid"],
  ["json", "json"],
  ["jsonb", "json"],
  ["bytea", "bytes"],
])

function readPostgresType(type: PostgresType, findEnum: FindEnum): ReadType {
  if (type.form === "composite" || type.form === "pseudo") {
    const reason = `its type ${type.shown} is a record of its own, which no scalar holds`
    return { note: { what: "not served", reason, hint: "Serve its members by a view." } }
  }
  if (type.dimensions > 1)
    return readAsText(type, `no scalar holds an array of ${type.dimensions} dimensions`)
  const list = type.dimensions === 1 ? ({ list: true } as const) : {}
  if (type.form === "enum") {
    const shared = findEnum(type.schema, type.name)
    if (shared === undefined) return readAsText(type, "its enumeration has no values, or an empty one")
    return { type: { scalar: "oneOf", of: shared, ...list, stored: type.domain ? "domain" : "cast" } }
  }
  const scalar =
    type.schema === "pg_catalog" && type.form === "base" ? postgresNames.get(type.name) : undefined
  if (scalar === undefined) return readAsText(type, `no scalar stands for the type ${type.shown}`)
  const stored = scalar === "text" && type.folded ? "folded" : postgresForms.get(type.name)
  return { type: { scalar, ...list, ...readLimits(type), ...(stored && { stored }) } }
}

const postgresForms: ReadonlyMap<string, NonNullable<FieldType["stored"]>> = new Map([
  ["timestamp", "local"],
  ["float4", "single"],
  ["bpchar", "padded"],
])

/** Types whose values are texts, or have no order of their own. The text of any other type does not decide its order. */
const orderedAsText: ReadonlySet<string> = new Set(["name", "char", "xml", "jsonpath"])

/** All that PostgreSQL would round, or cut, is a limit of the field. */
function readLimits({ name, length, precision, scale, dimensions }: PostgresType): Partial<FieldType> {
  const own = (range: Pick<FieldType, "min" | "max">) => (dimensions === 0 ? range : { items: range })
  if (name === "int2") return own({ min: -32768, max: 32767 })
  if (length !== undefined) return own({ max: length })
  if (precision === undefined) return {}
  return name === "numeric" ? readDigits(precision, scale ?? 0) : { precision }
}

/** PostgreSQL text of any type there is (documentation, section "Type Casts"). */
function readAsText({ name, form, dimensions, length, folded }: PostgresType, reason: string): ReadType {
  const isOrdered = orderedAsText.has(name) && form === "base" && dimensions < 2
  const stored = folded ? "folded" : isOrdered ? "cast" : "unordered"
  const list = dimensions === 1 ? ({ list: true } as const) : {}
  const max = length === undefined || dimensions > 0 ? {} : { max: length }
  return {
    type: { scalar: "text", ...list, ...max, stored, readonly: true },
    note: {
      what:
        dimensions === 1 ? "served as a list of text, for reading only" : "served as text, for reading only",
      reason,
    },
  }
}

/** A scale above the precision leaves zeros behind the point. */
const readDigits = (precision: number, scale: number): Partial<FieldType> => ({
  precision: Math.max(precision, scale),
  scale,
})
