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
  if (given === undefined || given.kind === "database") return undefined
  if (given.kind === "now") return moments[dialect.name][field.scalar]
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
  const hex = Buffer.from(value).toString("hex")
  return dialect.name === "sqlite" ? `x'${hex}'` : `'\\x${hex}'`
}

/** In the stored forms of docs/decisions/0043-stored-forms.md. */
const moments: Readonly<Record<Dialect["name"], Readonly<Record<string, string>>>> = {
  sqlite: {
    date: "strftime('%Y-%m-%d', 'now')",
    time: "strftime('%H:%M:%f000', 'now')",
    timestamp: "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')",
  },
  postgres: {
    date: "(now() AT TIME ZONE 'UTC')::date",
    time: "(now() AT TIME ZONE 'UTC')::time",
    timestamp: "now()",
  },
}
