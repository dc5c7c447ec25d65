// Whether a column of PostgreSQL can be asked and written as what the service takes it for. SQLite's hold anything.

import type { Field, KeyPart } from "../model.ts"
import { isTextual, type ScalarName } from "../scalars.ts"
import type { PostgresType } from "./catalog.ts"
import { postgresNames } from "./column-types.ts"

/** Columns of types without a scalar are left to their declaration. */
export function fitsColumn(
  of: Pick<Field, "scalar" | "stored" | "list"> | KeyPart,
  { name, schema, form, dimensions }: PostgresType,
): boolean {
  const isOwn = schema === "pg_catalog" && form === "base"
  const scalar = isOwn ? (postgresNames.get(name) ?? (texts.has(name) ? "text" : undefined)) : undefined
  if (of.stored === "cast" || of.stored === "unordered" || scalar === undefined) return true
  return (
    (holds[kindOf(of.scalar)] ?? [kindOf(of.scalar)]).includes(kindOf(scalar)) &&
    dimensions > 0 === ("list" in of && of.list)
  )
}

/** Whether SQLite's stored values are read as they were written. @param meaning as the dialect shows it behind a type */
export function fitsMeaning(of: Field | KeyPart, meaning: string): boolean {
  const [, list, one = ""] = /^(list of )?(.*)$/.exec(meaning) ?? []
  const isList = "list" in of && of.list
  if (isList !== (list !== undefined)) return false
  const scale = /^decimal\(\d+,(\d+)\)$/.exec(one)?.[1] ?? (whole.has(one) ? "0" : undefined)
  if (of.scalar === "decimal") return scale === String(("constraints" in of && of.constraints.scale) || 0)
  if (of.scalar === "integer" || of.scalar === "int64") return scale === "0"
  const kind = kindOf(of.scalar)
  const isText = one === "" || one === "text"
  // Ids that have become texts are those that they were.
  return kind === "text" ? isText : one === of.scalar || (kind === "uuid" && isText)
}

const whole: ReadonlySet<string> = new Set(["integer", "int64"])

/** Served as they are, for reading only. */
const texts: ReadonlySet<string> = new Set(["name"])

/** A column may be narrower than the scalar it is served as. */
const holds: Partial<Readonly<Record<ScalarName, readonly ScalarName[]>>> = {
  decimal: ["decimal", "int64"],
  float: ["float", "decimal", "int64"],
}

/** Scalars of one kind are held by the same columns. */
function kindOf(scalar: ScalarName): ScalarName {
  if (scalar === "integer") return "int64"
  return isTextual(scalar) ? "text" : scalar
}
