// Values of former fields: their writes, together or alone, values of new records, and values in the log.

import type { JsonValue } from "../../base/json.ts"
import type { Condition, Slot } from "../condition.ts"
import { evaluate } from "../evaluation/evaluate.ts"
import { type Expression, fieldsIn, followedIn, hasCode, replaceFields, sourcesIn } from "../expression.ts"
import { isFormerField } from "../former-fields.ts"
import type { Field, Lens, Resource } from "../model.ts"
import { apiName } from "../names.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import { fieldOf, serviceOf } from "./check-change.ts"
import { pathNames, type Undoing } from "./undoing.ts"

// Former fields that are written together, also through changes of several versions: they share one lens.

/** Inputs of the lenses of these fields that stay in the version before. */
export const sharedInputs = (
  { fields, settable = fields }: Resource,
  written: Iterable<string>,
  gone: readonly string[],
): readonly string[] => [
  ...new Set(
    [...written]
      .flatMap((name) => settable.get(name)?.lens?.inputs ?? [])
      .filter((name) => !gone.includes(name)),
  ),
]

/** @param lens in place of those that need a field that is gone; without it their other fields are read-only */
export function withSharedLens(
  { report, since }: Undoing,
  resource: Resource,
  gone: readonly string[],
  lens?: Lens,
): Resource {
  const { fields, settable } = resource
  const isBroken = (field: Field): boolean => field.lens?.inputs.some((name) => gone.includes(name)) === true
  const isShared = (name: string): boolean => lens?.inputs.includes(name) === true
  const change = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...of].map(([name, field]): [string, Field] => {
        if (!isBroken(field)) return [name, field]
        const { lens: _, ...rest } = field
        return [name, lens && isShared(name) ? { ...rest, lens } : { ...rest, readonly: true }]
      }),
    )
  for (const [name, field] of fields)
    if (isBroken(field) && !isShared(name))
      report?.(
        `${apiName(resource)} writes "${name}" together with ${gone.map((one) => `"${one}"`).join(" and ")} since ${since}, which versions before cannot give.`,
        "Declare what they write there, or leave out the `writes` of the later change.",
      )
  const left = settable && [...change(settable)].filter(([, field]) => !field.readonly)
  return { ...resource, fields: change(fields), ...(left && { settable: new Map(left) }) }
}

/** Former fields that are set: those that were read-only are not, unless `writes` asks for them. */
export function inputsOf(
  before: readonly Field[],
  writes: ReadonlyMap<string, Expression>,
): readonly string[] {
  const asked = [...writes.values()]
  const isAsked = (name: string): boolean =>
    asked.some((expression) => expression.kind === "code" || fieldsIn(expression).includes(name))
  return before.filter(({ name, readonly }) => !readonly || isAsked(name)).map(({ name }) => name)
}

export interface SplitLens extends Lens {
  /** Former fields whose newer ones a later change drops. */
  readonly dropped: readonly string[]
}

/** @param composed the newest version's form of `writes` */
export function droppedOf(
  inputs: readonly string[],
  writes: ReadonlyMap<string, Expression>,
  composed: ReadonlyMap<string, Expression>,
): readonly string[] {
  const asked = [...writes.values()].flatMap(sourcesIn)
  const kept = new Set([...composed.values()].flatMap(sourcesIn))
  return inputs.filter((name) => asked.includes(name) && !kept.has(name))
}

/** For a former field that is accepted, never wanted, and written nowhere. */
export const droppedLens = (name: string): Lens => ({ inputs: [name], writes: new Map() })

/** Undefined for a field that is read-only. */
export const setBy = (lens: SplitLens, name: string): Lens | undefined =>
  lens.inputs.includes(name) ? lens : lens.dropped.includes(name) ? droppedLens(name) : undefined

// The value that new records get in a field which an older version lacks.

/** @param writes the value that the change gives; without one the field's default, or none */
export function withSupplied(
  undoing: Undoing,
  resource: Resource,
  field: Field,
  writes: JsonValue | undefined,
): Resource {
  const { name, current = name, lens, default: own, optional, readonly } = field
  if (writes === undefined && !optional && !own && !readonly)
    undoing.report?.(
      `Writers of older versions cannot give "${name}", which each record needs.`,
      "Give the field a default, or say what they write: { added, writes }.",
    )
  // Its value is another one today, and no later change says which.
  if (!lens && isFormerField(field)) {
    if (writes !== undefined) undoing.report?.(`"${name}" cannot be written.`)
    return resource
  }
  if (!lens)
    return writes === undefined ? resource : supplying(undoing, resource, { [current]: constant(writes) })
  const value = constant(writes ?? (own?.kind === "value" ? own.value : null))
  const written = [...lens.writes].map(([newest, expression]) => {
    const sources = sourcesIn(expression)
    const filled = replaceFields(expression, (input) => (input === name ? value : undefined))
    return { newest, expression: filled, asksIt: sources.includes(name), asksOthers: sources.some(isOther) }
  })
  const inputs = lens.inputs.filter(isOther)
  const isSaid = writes !== undefined || own !== undefined
  const fields = undoing.newest.resources.get(resource.name)?.fields
  const alone = written.filter(({ asksOthers }) => inputs.length === 0 || !asksOthers)
  const supplied = alone.filter(
    ({ newest, expression }) => isSaid || !(fields?.get(newest)?.default || hasCode(expression)),
  )
  const left =
    inputs.length === 0
      ? resource
      : withLens(resource, lens, {
          inputs,
          writes: new Map(
            written
              .filter(({ asksOthers }) => asksOthers)
              .map(({ newest, expression }) => [newest, expression]),
          ),
          isMixed: written.some(({ asksIt, asksOthers }) => asksIt && asksOthers),
        })
  return supplying(
    undoing,
    left,
    Object.fromEntries(supplied.map(({ newest, expression }) => [newest, expression])),
  )

  function isOther(input: string): boolean {
    return input !== name
  }
}

const constant = (value: JsonValue): Expression => ({ kind: "constant", value })

/**
 * Other fields that are written with the omitted one are written alone. Where one field of today holds both, the record
 * keeps its value: a write would lose the part of the omitted field.
 */
function withLens(
  resource: Resource,
  lens: Lens,
  { isMixed, ...left }: Lens & { readonly isMixed: boolean },
): Resource {
  const changed = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...of].map(([name, field]) => [
        name,
        field.lens === lens ? { ...field, lens: left, immutable: field.immutable || isMixed } : field,
      ]),
    )
  const { fields, settable } = resource
  return { ...resource, fields: changed(fields), ...(settable && { settable: changed(settable) }) }
}

function supplying(
  undoing: Undoing,
  resource: Resource,
  values: Readonly<Record<string, Expression>>,
): Resource {
  for (const [name, expression] of Object.entries(values)) checkValue(undoing, resource, name, expression)
  return { ...resource, supplied: new Map([...(resource.supplied ?? []), ...Object.entries(values)]) }
}

function checkValue(undoing: Undoing, { name: of }: Resource, name: string, expression: Expression): void {
  const field = undoing.report && undoing.newest.resources.get(of)?.fields.get(name)
  if (!field) return
  if (hasCode(expression)) {
    undoing.report?.(
      `New records of older versions cannot have "${name}" of what code gives.`,
      "Give it by an expression.",
    )
    return
  }
  const value = evaluate(expression, field, new Map())
  const wrong =
    value === null
      ? !field.optional && "a value, as each record needs one"
      : wrongValue(serviceOf(undoing.newest), { ...fieldOf(field), ...field.constraints }, value)
  if (wrong)
    undoing.report?.(
      `New records of older versions have ${JSON.stringify(value)} as "${name}", which must be ${wrong}.`,
    )
}

// Values that the log holds of a former field: from before the change, under the names that it had.
interface Former {
  readonly declared: Field
  /** Members that stand in its place since; those that its value comes from when absent. */
  readonly now?: readonly string[]
  readonly reads?: Expression
  /** Conditions of the members that its value comes from. */
  readonly seen: readonly Condition<Slot>[]
}

/**
 * Shown to callers who see each of today's members: the former value may hold more than `reads` shows. Undefined if one of
 * them is hidden, and without members, as its former readers are unknown.
 */
export function loggedValues(resource: Resource, { declared, now, reads, seen }: Former): Field["logged"] {
  const members = now ?? (reads ? membersIn(reads) : [])
  const { name, was = [] } = declared
  const names = [name, ...was].filter((one) => !resource.fields.has(one))
  if (members.length === 0 || names.length === 0) return undefined
  const conditions = [...seen]
  // A field that may be set is not one that is seen.
  const { settable: _, ...shown } = resource
  const known = pathNames(shown)
  for (const member of members) {
    const field = resource.fields.get(member)
    if (field ? isFormerField(field) && !field.logged : !known.includes(member)) return undefined
    conditions.push(...(field?.seen ? [field.seen] : []), ...(field?.logged?.seen ? [field.logged.seen] : []))
  }
  return { names, ...(conditions.length > 0 && { seen: { kind: "and", of: conditions } }) }
}

const membersIn = (reads: Expression): readonly string[] => [
  ...sourcesIn(reads),
  ...followedIn(reads).map(({ relation }) => relation),
]
