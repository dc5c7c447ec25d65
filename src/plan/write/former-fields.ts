// Former fields of an older version in an input: their values become values of the newest version's fields.

import { invariant, present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import { evaluate, isEvaluated } from "../../model/evaluation/evaluate.ts"
import { type Expression, hasCode, sourcesIn } from "../../model/expression.ts"
import type { Field, Lens } from "../../model/model.ts"
import { resourceNamed, wholeOf } from "../lookup.ts"
import { memberOf, subjectOf } from "../member.ts"
import { quoteInput } from "../quote-input.ts"
import type { Slot, Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { valueText, valueTypeOf } from "../values/values.ts"
import type { Setting } from "../write-plan.ts"
import type { InputPlace } from "./input-place.ts"
import { defaultSetting, defaultValue } from "./input-place.ts"
import type { InputMember } from "./inputs.ts"

/** Values of former fields by their names; null for none. */
type FormerValues = ReadonlyMap<string, Value>

type FieldMember = Extract<InputMember, { readonly kind: "field" }>

interface Formers {
  /** By name, those that the action takes. */
  readonly members: ReadonlyMap<string, InputMember>
  readonly input: Readonly<Record<string, unknown>>
  /** Values in the input, without mistakes. */
  readonly values: FormerValues
}

interface Wanted {
  /** Also settings of lenses without input: their defaults. `alone`: these and no others. */
  readonly absent: boolean | "alone"
  /** Defaults complete a lens if the input gives only a part of it. */
  readonly completes: boolean
}

/** The settings of the newest version's fields that follow from former ones. */
export function formerSettings(spot: InputPlace, of: Formers, wanted: Wanted): readonly Setting[] {
  const lenses = new Set<Lens>()
  for (const member of of.members.values())
    if (member.kind === "field" && member.field.lens) lenses.add(member.field.lens)
  return [...lenses].flatMap((lens): readonly Setting[] => {
    const given = lens.inputs.filter((name) => of.input[name] !== undefined)
    // Without writes it is ignored. A mistake was reported already.
    if (lens.writes.size === 0 || given.some((name) => !of.values.has(name))) return []
    if (given.length > 0)
      return wanted.absent === "alone" ? [] : givenSettings(spot, of, lens, { given, ...wanted })
    return wanted.absent === false ? [] : absentSettings(spot, of, lens)
  })
}

function givenSettings(
  spot: InputPlace,
  of: Formers,
  lens: Lens,
  { given, completes }: Pick<Wanted, "completes"> & { readonly given: readonly string[] },
): readonly Setting[] {
  const values = new Map(of.values)
  for (const name of lens.inputs) {
    if (values.has(name)) continue
    if (!completes) {
      const { draft, place } = spot
      const beside = given.map((one) => `\`${one}\``)
      const message = `\`${name}\` must be given with ${beside.join(" and ")}: this version writes them together.`
      draft.problems.add("missing_field", [...place, name], message)
      return []
    }
    const value = absentValue(spot, memberIn(of, name))
    if (value === undefined) return []
    values.set(name, value)
  }
  return settingsOf(spot, lens, values, { given, said: saidIn(of, lens, given) })
}

/** Settings of a lens without input: the defaults of the version, or else of today. */
function absentSettings(spot: InputPlace, of: Formers, lens: Lens): readonly Setting[] {
  const members = lens.inputs.map((name) => memberIn(of, name))
  const values = new Map<string, Value>()
  for (const member of members) {
    const value = absentValue(spot, member)
    if (value === undefined) return []
    values.set(member.name, value)
  }
  return settingsOf(spot, lens, values, { given: [], said: saidIn(of, lens, []) })
}

const saidIn = (of: Formers, { inputs }: Lens, given: readonly string[]): ReadonlySet<string> =>
  new Set(inputs.filter((name) => given.includes(name) || memberIn(of, name).field.default))

const memberIn = ({ members }: Formers, name: string): FieldMember => {
  const member = members.get(name)
  return present(member?.kind === "field" ? member : undefined, `${name} is written with its lens`)
}

/** The version's default, or null. Undefined, and a problem, where there is neither. */
function absentValue(
  { draft, place }: InputPlace,
  { name, field, required }: FieldMember,
): Value | undefined {
  const value = defaultValue(draft, draft.model, field)
  if (value !== undefined) return value
  if (field.optional) return null
  // Among the mistakes of the input's members already.
  if (!required) draft.problems.add("missing_field", [...place, name], `\`${name}\` must be given.`)
  return undefined
}

interface Origin {
  /** Names of members that the input gives. */
  readonly given: readonly string[]
  /** With those that have a default in the version. */
  readonly said: ReadonlySet<string>
}

/** Whether the version gives no value to any source of the newest field. */
function isUnsaid(expression: Expression, { said }: Origin): boolean {
  const sources = sourcesIn(expression)
  return sources.length === 0 ? said.size === 0 : sources.every((name) => !said.has(name))
}

function settingsOf(spot: InputPlace, lens: Lens, values: FormerValues, from: Origin): readonly Setting[] {
  const { draft, place, resource } = spot
  const model = wholeOf(draft.model)
  const whole = resourceNamed(model, resource.name)
  const byDefault = from.given.length === 0
  if (isByCode(lens)) return convertedSettings(spot, lens, values, from)
  const [first = ""] = byDefault ? lens.inputs : from.given
  // A PUT clears with the values it gives: a default that is written with them counts as given.
  const origin = byDefault ? ({ byDefault } as const) : {}
  return [...lens.writes].flatMap(([name, expression]): readonly Setting[] => {
    const field: Field = present(whole.fields.get(name), `${resource.name} has the field ${name}`)
    // The database fills in a field without setting.
    if (field.default && isUnsaid(expression, from)) {
      const { byDefault: _, ...setting } = defaultSetting(draft, field, model) ?? {}
      return "slot" in setting ? [{ ...setting, ...origin }] : []
    }
    const value = evaluate(expression, field, values)
    if (value === null && !field.optional && byDefault) {
      const message = `\`${first}\` must be given: newer versions need a value in its place.`
      draft.problems.add("missing_field", [...place, first], message)
      return []
    }
    const wrong = (text: string): readonly Setting[] => {
      draft.problems.add("invalid_value", [...place, first], `\`${first}\` ${text}`)
      return []
    }
    // Limits of today are in names and units that the version does not have.
    const unfit = `cannot be ${quoteInput(values.get(first) ?? null)}: newer versions have no value for it.`
    const setting = { subject: { kind: "field", field: name }, newest: true } as const
    if (value === null && !field.optional)
      return wrong("gives no value that newer versions can have in its place.")
    const read = value === null ? { ok: true, value } : acceptValue(valueTypeOf(model, field), value, "json")
    if (!read.ok) return wrong(unfit)
    const stays = shownAlike(spot, field, expression, values).filter((one) => one !== value)
    const own = read.value === null ? [] : [read.value]
    return [
      {
        ...setting,
        ...draft.bind(read.value),
        ...origin,
        ...(stays.length > 0 && { stays: draft.bind([...own, ...stays]) }),
      },
    ]
  })
}

/** Stored values that the version shows as the given one, if the former fields come from this field alone. */
function shownAlike(
  { draft, resource }: InputPlace,
  field: Field,
  expression: Expression,
  given: FormerValues,
): readonly (string | boolean)[] {
  const { values: named } = valueTypeOf(wholeOf(draft.model), field)
  const all = field.list ? [] : (named ?? (field.scalar === "boolean" ? [true, false] : []))
  const formers = [...new Set(sourcesIn(expression))].map((name) =>
    (resource.settable ?? resource.fields).get(name),
  )
  const shows = formers.map((former) => {
    const { computed } = former ?? {}
    if (!former || !computed || !isEvaluated(computed)) return undefined
    if (sourcesIn(computed).some((source) => source !== field.name)) return undefined
    const value = given.get(former.name) ?? null
    const text = value === null ? "null" : valueText(former, value)
    const { values = undefined } = valueTypeOf(draft.model, former)
    return (one: string | boolean) => {
      const shown = evaluate(computed, former, new Map([[field.name, one]]))
      const isLacked = values !== undefined && !values.some((other) => other === shown)
      return (isLacked ? "null" : JSON.stringify(shown)) === text
    }
  })
  return formers.length === 0 ? [] : all.filter((one) => shows.every((isShown) => isShown?.(one)))
}

/** Null for a member. A record keeps a value that the version lacks, or a list with one, and shows as null. */
export function cleared(
  { draft, resource }: InputPlace,
  { subject, ...member }: Exclude<InputMember, { readonly kind: "relation" | "id" }>,
): Setting {
  const field = member.kind === "field" ? member.field : undefined
  const own = field && draft.model.newest ? valueTypeOf(draft.model, field).values : undefined
  const whole = own && wholeOf(draft.model)
  const today = whole && resourceNamed(whole, resource.name).fields.get(field?.current ?? field?.name ?? "")
  const all = (today && valueTypeOf(whole, today).values) ?? []
  const lacked = all.filter((one) => !own?.includes(one))
  return { subject, ...draft.bind(null), ...(lacked.length > 0 && { stays: draft.bind(lacked) }) }
}

/** Whether user code takes part in the write. */
const isByCode = ({ writes }: Lens): boolean => [...writes.values()].some(hasCode)

/** Slots for values that user code will give, before the plan runs. */
function convertedSettings(
  { draft, place, resource }: InputPlace,
  lens: Lens,
  values: FormerValues,
  { given, said }: Origin,
): readonly Setting[] {
  const model = wholeOf(draft.model)
  const whole = resourceNamed(model, resource.name)
  const origin = given.length === 0 ? ({ byDefault: true } as const) : {}
  const into = new Map<string, Slot>()
  const settings = [...lens.writes.keys()].flatMap((name): readonly Setting[] => {
    const member = memberOf(whole, name)
    invariant(member && member.kind !== "relation", `${whole.name} has a value ${name}`)
    if (said.size === 0 && member.kind === "field" && member.field.default) {
      const setting = defaultSetting(draft, member.field, model)
      return setting ? [setting] : []
    }
    const slot = draft.pending()
    into.set(name, slot)
    return [{ subject: subjectOf(member), newest: true, byCode: true, ...slot, ...origin }]
  })
  const input = lens.inputs.map((name): readonly [string, JsonValue] => {
    const field = present((resource.settable ?? resource.fields).get(name), `${name} is written`)
    const value = values.get(name) ?? null
    return [name, value === null ? null : (JSON.parse(valueText(field, value)) as JsonValue)]
  })
  if (into.size > 0) draft.convert({ resource: resource.name, lens, given: new Map(input), into, place })
  return settings
}

/** The value that an input gives a former field; undefined for none, or where a problem was added. */
export function readFormer(
  { draft, place }: InputPlace,
  { name, field, type, required }: FieldMember,
  input: unknown,
): Value | undefined {
  const { problems } = draft
  if (input === undefined) {
    if (required) problems.add("missing_field", [...place, name], `\`${name}\` must be given.`)
    return undefined
  }
  if (input === null) {
    if (field.optional) return null
    problems.add("invalid_value", [...place, name], `\`${name}\` must not be null: there always is one.`)
    return undefined
  }
  const read = acceptValue(type, input, "json")
  if (read.ok) return read.value
  problems.add("invalid_value", [...place, name], `\`${name}\` ${read.wrong}.`, read.hint)
  return undefined
}
