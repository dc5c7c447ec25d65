// Where the reading of an input stands.

import { invariant } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Field, Model, Resource, ToOne } from "../../model/model.ts"
import { canonicalDateTime, cutFraction } from "../../model/values/datetime.ts"
import type { Draft } from "../draft/draft.ts"
import type { Slot, Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { valueTypeOf } from "../values/values.ts"
import type { Setting } from "../write-plan.ts"

/** Where the reading of a write stands. */
export interface InputPlace {
  readonly draft: Draft
  readonly resource: Resource
  readonly place: Place
  /** Relations that led here. */
  readonly level: number
  /** The record around this one, to which `back` leads. */
  readonly within?: { readonly back: ToOne; readonly key: Slot }
  /** Records that may still be read of the whole input. */
  readonly budget: { left: number }
  /** By slot: keys of records of the same input that are known before those are made. */
  readonly keys: Map<number, readonly Value[]>
}

// Settings of members that an input does not have: the defaults of their fields.

/** Undefined without a default, or where the database fills it in. @param model that has the field */
export function defaultSetting(draft: Draft, field: Field, model: Model = draft.model): Setting | undefined {
  const value = defaultValue(draft, model, field)
  return value === undefined ? undefined : { ...newestField(field), ...draft.bind(value), byDefault: true }
}

/** A setting of a field by its name in the newest version. */
const newestField = ({ name, current = name }: Field): Omit<Setting, "slot"> => ({
  subject: { kind: "field", field: current },
  newest: true,
})

/** Undefined without a default, or where the database fills it in. */
export function defaultValue(draft: Draft, model: Model, field: Field): Value | undefined {
  const given = field.default
  // An older version writes no value.
  if (given?.kind === "value" && given.value === null) return null
  if (given?.kind === "value") {
    const read = acceptValue(valueTypeOf(model, field), given.value, "json")
    invariant(read.ok, `the default of ${field.name} is a value of it`)
    return read.value
  }
  return given?.kind === "now" ? currentDateTime(draft, field, given.delay) : undefined
}

/** The moment of the request, or so many milliseconds later, as a value of the field. */
export function currentDateTime(draft: Draft, field: Field, delay = 0): Value {
  const asked = draft.fresh.now()
  const now = delay === 0 ? asked : canonicalDateTime(Date.parse(asked) + delay)
  if (field.scalar === "date") return now.slice(0, 10)
  const moment = field.scalar === "time" ? now.slice(11, -1) : now
  return cutFraction(moment, field.constraints.precision ?? 6)
}
