// Whether a column of PostgreSQL can be asked and written as what the service takes it for. SQLite's hold anything.
import type { PostgresType } from "./catalog.ts"
import type { Field, KeyPart } from "./model.ts"
import type { ScalarName } from "./scalars.ts"

type Kind = "text" | "number" | "boolean" | "date" | "time" | "timestamp" | "uuid" | "json" | "bytes"

const kinds: ReadonlyMap<string, Kind> = new Map([
  ...["text", "varchar", "bpchar", "name"].map((name) => [name, "text"] as const),
  ...["int2", "int4", "int8", "float4", "float8", "numeric"].map((name) => [name, "number"] as const),
  ["bool", "boolean"],
  ["date", "date"],
  ["time", "time"],
  ["timestamp", "timestamp"],
  ["timestamptz", "timestamp"],
  ["uuid", "uuid"],
  ["json", "json"],
  ["jsonb", "json"],
  ["bytea", "bytes"],
])

/** Columns of types that no scalar stands for are left to whoever has declared them. */
export function fitsColumn(
  of: Pick<Field, "scalar" | "stored" | "list"> | KeyPart,
  { name, schema, form, dimensions }: PostgresType,
): boolean {
  const kind = schema === "pg_catalog" && form === "base" ? kinds.get(name) : undefined
  if (of.stored === "cast" || kind === undefined) return true
  return kind === kindOf[of.scalar] && dimensions > 0 === ("list" in of && of.list)
}

const kindOf: Readonly<Record<ScalarName, Kind>> = {
  text: "text",
  email: "text",
  url: "text",
  slug: "text",
  oneOf: "text",
  integer: "number",
  int64: "number",
  float: "number",
  decimal: "number",
  boolean: "boolean",
  date: "date",
  time: "time",
  timestamp: "timestamp",
  uuid: "uuid",
  json: "json",
  bytes: "bytes",
}
