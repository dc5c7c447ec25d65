// Former fields of an older version in an input: what they are given becomes values of the newest version's fields.

import { invariant, present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import { evaluate } from "../../model/evaluate.ts"
import { hasCode } from "../../model/expression.ts"
import type { Field, Lens } from "../../model/model.ts"
import { resourceNamed, wholeOf } from "../lookup.ts"
import { memberOf, subjectOf } from "../member.ts"
import type { Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { valueText, valueTypeOf } from "../values/values.ts"
import type { Setting } from "../write-plan.ts"
import type { InputPlace } from "./input-place.ts"
import type { Action, InputMember } from "./inputs.ts"

/** Values of former fields by their names; null for none. */
export type FormerValues = ReadonlyMap<string, Value>

type FieldMember = Extract<InputMember, { readonly kind: "field" }>

/** @param members of the input, by name @param given at least one */
export function settingsOfFormer(
  spot: InputPlace,
  action: Action,
  members: ReadonlyMap<string, InputMember>,
  given: FormerValues,
): readonly Setting[] {
  const lenses = new Set<Lens>()
  for (const name of given.keys()) {
    const member = members.get(name)
    if (member?.kind === "field" && member.field.lens) lenses.add(member.field.lens)
  }
  return [...lenses].flatMap((lens) => {
    const values = completed(spot, action, lens, members, given)
    if (!values) return []
    return isLensByCode(lens)
      ? convertedSettings(spot, members, lens, values)
      : settingsOf(spot, lens, values)
  })
}

/** With null for what a new record is not given. Undefined where a problem was added. */
function completed(
  { draft, place }: InputPlace,
  action: Action,
  { inputs }: Lens,
  members: ReadonlyMap<string, InputMember>,
  given: FormerValues,
): FormerValues | undefined {
  const values = new Map(given)
  const missing = inputs.filter((name) => !given.has(name))
  for (const name of missing) {
    const member = members.get(name)
    if (action === "create" && member?.kind === "field" && member.field.optional) values.set(name, null)
    // Of a new record it was told already.
    else if (action === "update") {
      const beside = inputs.filter((one) => given.has(one)).map((one) => `\`${one}\``)
      draft.problems.add(
        "missing_field",
        [...place, name],
        `\`${name}\` must be given with ${beside.join(" and ")}: this version writes them together.`,
      )
    }
  }
  return inputs.every((name) => values.has(name)) ? values : undefined
}

/** Whether user code takes part in what is written. */
export const isLensByCode = ({ writes }: Lens): boolean => [...writes.values()].some(hasCode)

/** Slots for what user code will give. */
function convertedSettings(
  spot: InputPlace,
  members: ReadonlyMap<string, InputMember>,
  lens: Lens,
  values: FormerValues,
): readonly Setting[] {
  const { draft, place, resource } = spot
  const whole = resourceNamed(wholeOf(draft.model), resource.name)
  const into = new Map([...lens.writes.keys()].map((name) => [name, draft.pending()]))
  const given = lens.inputs.map((name): readonly [string, JsonValue] => {
    const member = members.get(name)
    const field = member?.kind === "field" ? member.field : undefined
    const value = values.get(name) ?? null
    return [name, value === null || !field ? null : (JSON.parse(valueText(field, value)) as JsonValue)]
  })
  draft.convert({ resource: resource.name, lens, given: new Map(given), into, place })
  return [...into].map(([name, slot]) => {
    const member = memberOf(whole, name)
    invariant(member && member.kind !== "relation", `${whole.name} has a value ${name}`)
    return { subject: subjectOf(member), newest: true, ...slot }
  })
}

function settingsOf(spot: InputPlace, lens: Lens, values: FormerValues): readonly Setting[] {
  const { draft, place, resource } = spot
  const model = wholeOf(draft.model)
  const whole = resourceNamed(model, resource.name)
  const [first = ""] = lens.inputs
  return [...lens.writes].flatMap(([name, expression]): readonly Setting[] => {
    const field: Field = present(whole.fields.get(name), `${resource.name} has the field ${name}`)
    const value = evaluate(expression, field, values)
    const wrong = (text: string): readonly Setting[] => {
      draft.problems.add("invalid_value", [...place, first], `\`${first}\` ${text}`)
      return []
    }
    const setting = { subject: { kind: "field", field: name }, newest: true } as const
    if (value === null)
      return field.optional
        ? [{ ...setting, ...draft.bind(null) }]
        : wrong("gives no value that today's record can have.")
    const read = acceptValue(valueTypeOf(model, field), value, "json")
    return read.ok ? [{ ...setting, ...draft.bind(read.value) }] : wrong(`${read.wrong}.`)
  })
}

/** The value that an input gives a former field; undefined for none, or where a problem was added. */
export function readFormer(
  { draft, place }: InputPlace,
  action: Action,
  { name, field, type, required }: FieldMember,
  input: unknown,
): Value | undefined {
  const { problems } = draft
  const given = input === undefined && action === "create" ? defaultOf(field) : input
  if (given === undefined) {
    if (required) problems.add("missing_field", [...place, name], `\`${name}\` must be given.`)
    return undefined
  }
  if (given === null) {
    if (field.optional) return null
    problems.add("invalid_value", [...place, name], `\`${name}\` must not be null: there always is one.`)
    return undefined
  }
  const read = acceptValue(type, given, "json")
  if (read.ok) return read.value
  problems.add("invalid_value", [...place, name], `\`${name}\` ${read.wrong}.`, read.hint)
  return undefined
}

const defaultOf = (field: Field): unknown =>
  field.default?.kind === "value" ? field.default.value : undefined
