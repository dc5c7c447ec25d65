// Two revisions of a service that a version is cut between: their fields and the values of their enumerations.
import type { JsonValue } from "../../base/json.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { formerValuesOf } from "../event-types.ts"
import type { Field, Model, Resource } from "../model.ts"
import { type ScalarName, scalars } from "../scalars.ts"

export interface Revision {
  readonly declaration: ServiceDeclaration
  readonly model: Model
}

export interface Revisions {
  readonly before: Revision
  readonly after: Revision
}

export interface ComparedValues {
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  /** Values since with the former ones that they stand for, as `was` and `formerly` say. */
  readonly known: readonly (readonly [now: string, before: string])[]
  /** Values that are new, each with the former one that it alone stands for, or stands for first. */
  readonly becomes: ReadonlyMap<string, string>
  /** How many former values have become none of these. */
  readonly gone: number
}

export function comparedValues(
  { before, after }: Revisions,
  resource: Resource,
  { field, current }: { readonly field: Field; readonly current: Field },
): ComparedValues {
  const [old, fresh] = [valuesOf(before, field), valuesOf(after, current)]
  const known = [...formerValuesOf(after.model, resource, current)].flatMap(([one, now]) =>
    old.includes(one) && !fresh.includes(one) ? [[now, one] as const] : [],
  )
  const becomes = new Map<string, string>()
  for (const [now, one] of known) if (!old.includes(now) && !becomes.has(now)) becomes.set(now, one)
  const gone = old.filter((one) => !fresh.includes(one)).length - becomes.size
  return { old, fresh, known, becomes, gone }
}

const valuesOf = ({ model }: Revision, { enumeration }: Field): readonly string[] =>
  enumeration === undefined ? [] : (model.enums.get(enumeration)?.values ?? [])

/** A value of the field's type, in whose place the author puts what older versions read: its default, or none where that may be. */
export function placeholderOf(revision: Revision, field: Field): JsonValue {
  const { scalar, optional, list, default: given, constraints } = field
  if (given?.kind === "value") return given.value
  if (optional) return null
  if (list) return []
  if (scalar === "oneOf") return valuesOf(revision, field)[0] ?? ""
  const value = placeholders[scalar]
  if (scalars[scalar].family !== "number") return value
  const { min = 0, max = 0 } = constraints
  const near = min > 0 ? min : Math.min(max, 0)
  return typeof value === "number" ? near : String(near)
}

const placeholders: Readonly<Record<Exclude<ScalarName, "oneOf">, JsonValue>> = {
  ...{ text: "", email: "nobody@example.com", url: "https://example.com/", slug: "none" },
  ...{ integer: 0, int64: "0", float: 0, decimal: "0", boolean: false },
  ...{ date: "1970-01-01", time: "00:00:00", timestamp: "1970-01-01T00:00:00Z" },
  ...{ uuid: "00000000-0000-0000-0000-000000000000", json: {}, bytes: "" },
}

/** The API's part of a field. */
export function plain(
  { was: _, from: _1, formerly: _2, column: _3, stored: _4, read: _5, write: _6, ...field }: FieldDeclaration,
  { declaration: { enums = {} } }: Revision,
): FieldDeclaration {
  // The enumeration may have other values since.
  const values = typeof field.of === "string" ? enums[field.of]?.values : undefined
  return { ...field, ...(values && { of: [...values] }) }
}
