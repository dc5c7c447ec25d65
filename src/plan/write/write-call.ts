// Calls of own operations: reads the input of one as a step of a plan, with every mistake and its place.
import { withArticle } from "../../base/article.ts"
import type { JsonText } from "../../base/json.ts"
import type { Place } from "../../base/problem.ts"
import type { Action, Field, Model, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import type { Draft } from "../draft/draft.ts"
import { hintFor } from "../hints.ts"
import { isObject } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import type { Slot, Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { valueText, valueTypeOf } from "../values/values.ts"
import type { Call, Places, Write } from "../write-plan.ts"
import { currentDateTime } from "./input-place.ts"
import { hasVersion, type InputAt, locate, matchOf, type Named } from "./write.ts"

/** Writes before the call, and the call without the members of its answer. */
export interface CallEffect {
  readonly writes: readonly Write[]
  readonly call: Omit<Call, "gives">
}

/** Equal texts: calls that differ in bound values only. */
export const callKey = (effect: CallEffect | undefined): string => JSON.stringify(effect ?? null)

interface Given {
  /** As JSON.parse gives it. */
  readonly input: unknown
  readonly place: Place
  /** The place of the call itself. */
  readonly at: Place
  readonly places?: Places
}

/** Undefined, here and below, when problems were added to the draft. */
export function readOperation(draft: Draft, operation: Action, given: Given): CallEffect | undefined {
  const input = readCallInput(draft, operation, given)
  return input && { writes: [], call: { name: operation.name, input, ...placesOf(given) } }
}

/** The record is looked up first: it must be visible to the caller, and the call allowed. */
export function readAction(
  draft: Draft,
  resource: Resource,
  action: Action,
  { by, match, ...given }: Given & Named,
): CallEffect | undefined {
  const { name } = action
  const versioned = hasVersion(draft, resource, { ...given, place: given.at, match })
  const input = readCallInput(draft, action, given, resource)
  if (!input || !versioned) return undefined
  const own = { resource: resource.name, place: given.at }
  const { key, located } = locate(draft, own, by)
  const look: Write = {
    kind: "update",
    ...own,
    target: { by: [{ subject: { kind: "id" }, slot: key.slot }] },
    sets: [],
    looks: true,
    calls: name,
    ...matchOf(draft, { ...given, match }),
  }
  return {
    writes: [...located, look],
    call: {
      resource: resource.name,
      name,
      input,
      key,
      ...placesOf(given),
      ...(match && { versioned: true }),
    },
  }
}

const placesOf = ({ at, place, places }: Given) => ({ at, place, ...(places && { places }) })

/** The slot of the input's JSON text. */
function readCallInput(
  draft: Draft,
  { name, input: fields }: Action,
  { input, place }: Given,
  resource?: Resource,
): Slot | undefined {
  const what = `\`${name}\`${resource ? ` of ${withArticle(apiName(resource))}` : ""}`
  const given = readActionInput(draft, { what, fields }, { input, place })
  return given && draft.bind(inputText(given))
}

/** The output of user code, member by member as JSON text; or its fault, as the rest of a sentence. */
export function readOutput(model: Model, { output }: Action, given: unknown): ReadMembers {
  if (output.size > 0) return readMembers(model, output, given)
  const isNothing = given === undefined || given === null
  return isNothing ? new Map() : { wrong: `gave ${quoteInput(given)}, and declares no output` }
}

type ReadMembers = ReadonlyMap<string, JsonText> | { readonly wrong: string }

/** Values that user code gives by name. */
export function readMembers(model: Model, fields: ReadonlyMap<string, Field>, given: unknown): ReadMembers {
  if (!isObject(given)) return { wrong: `must give an object, not ${quoteInput(given)}` }
  const unknown = Object.keys(given).find((name) => !fields.has(name))
  if (unknown !== undefined) return { wrong: `gave ${quoteInput(unknown)}, which is not declared` }
  const texts = new Map<string, JsonText>()
  for (const field of fields.values()) {
    const value = given[field.name] ?? null
    if (value === null && !field.optional) return { wrong: `gave no \`${field.name}\`` }
    const read =
      value === null
        ? ({ ok: true, value: null } as const)
        : acceptValue(valueTypeOf(model, field), value, "json")
    if (!read.ok) return { wrong: `gave \`${field.name}\`, which ${read.wrong}` }
    texts.set(field.name, read.value === null ? "null" : valueText(field, read.value))
  }
  return texts
}

// Inputs of transitions, actions and operations: values by name without columns, read as values of fields are.

/** The transition, action or operation that takes the values. */
interface Taking {
  /** In words: `pay` of an order. */
  readonly what: string
  readonly fields: ReadonlyMap<string, Field>
}

export interface ActionInput {
  readonly field: Field
  readonly value: Value
  /** As it was given, for a member of the record that takes it in a form of its own. */
  readonly raw: unknown
  /** Where the mistake is, if it does not fit there. */
  readonly place: Place
}

/** By the names of the newest version: given values and defaults. Undefined when problems were added to the draft. */
export function readActionInput(
  draft: Draft,
  { what, fields }: Taking,
  { input, place }: InputAt,
): ReadonlyMap<string, ActionInput> | undefined {
  const { problems } = draft
  const before = problems.found.length
  if (input !== undefined && !isObject(input)) {
    const message = `The input of ${what} must be an object, not ${quoteInput(input)}.`
    problems.add("invalid_value", place, message)
    return undefined
  }
  const given = new Map<string, ActionInput>()
  for (const field of fields.values()) {
    const { name, current = name } = field
    const at = [...place, name]
    const said = input && Object.hasOwn(input, name) ? input[name] : undefined
    const raw = said ?? (said === undefined ? defaultOf(draft, field) : undefined)
    if (raw === undefined) {
      if (said === null && field.optional) given.set(current, { field, value: null, raw: null, place: at })
      else if (said === null)
        problems.add("invalid_value", at, `\`${name}\` must not be null: there always is one.`)
      else if (!field.optional) problems.add("missing_field", at, `\`${name}\` must be given.`)
      continue
    }
    const read = acceptValue(valueTypeOf(draft.model, field), raw, "json")
    if (read.ok) given.set(current, { field, value: read.value, raw, place: at })
    else problems.add("invalid_value", at, `\`${name}\` ${read.wrong}.`)
  }
  for (const name of Object.keys(input ?? {}))
    if (!fields.has(name)) {
      const taken = [...fields.keys()]
      const message = `${what} takes no ${quoteInput(name)}.`
      const hint = hintFor(name, taken) ?? (taken.length === 0 ? "It takes nothing." : undefined)
      problems.add("unknown_field", [...place, name], message, hint)
    }
  return problems.found.length > before ? undefined : given
}

/** As a person would write it. */
function defaultOf(draft: Draft, field: Field): unknown {
  if (field.default?.kind === "value") return field.default.value
  return field.default?.kind === "now" ? currentDateTime(draft, field) : undefined
}

/** JSON in the forms in which the API shows values. */
export function inputText(given: ReadonlyMap<string, ActionInput>): string {
  const members = [...given].map(
    ([name, { field, value }]) => `${JSON.stringify(name)}:${valueText(field, value)}`,
  )
  return `{${members.join(",")}}`
}
