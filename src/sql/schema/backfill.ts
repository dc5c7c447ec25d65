// The default of a field as SQL, for records that were there before the field.
import type { Field, Model } from "../../model/model.ts"
import type { Value } from "../../plan/read-plan.ts"
import { readValue, valueTypeOf } from "../../plan/values/values.ts"
import { fieldType } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import type { Parameter } from "../statement.ts"

/** Undefined when the field has no default, or one that only the database knows. */
export function backfill(model: Model, dialect: Dialect, field: Field): string | undefined {
  const { default: given } = field
  const now: Readonly<Record<string, string>> = dialect.made.now
  if (given === undefined || given.kind === "database") return undefined
  if (given.kind === "now") return now[field.scalar]
  const value = given.value === null ? null : canonical(model, field, given.value)
  return value === null || value === undefined
    ? undefined
    : constant(dialect, dialect.encode(value, fieldType(model, field)))
}

function canonical(model: Model, field: Field, value: unknown): Value | undefined {
  const read = readValue(valueTypeOf(model, field), value, "json")
  return read.ok ? read.value : undefined
}

/** Without a type, which the column gives; whole numbers of SQLite need not be quoted. */
export function constant(dialect: Dialect, value: Parameter): string {
  if (value === null) return "NULL"
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`
  if (typeof value === "bigint" || typeof value === "number") return String(value)
  return dialect.made.bytes(Buffer.from(value).toString("hex"))
}
