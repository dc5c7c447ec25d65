// Calls of own operations: reads what was given with one as a step of a plan, with every mistake and its place.
import type { JsonText } from "../base/json.ts"
import type { Place } from "../base/problem.ts"
import type { Action, Field, Model, Resource } from "../model/model.ts"
import { acceptValue } from "./accept.ts"
import type { Draft } from "./draft.ts"
import { hintFor } from "./naming.ts"
import { shown } from "./shown.ts"
import type { Slot, Value } from "./types.ts"
import { valueTypeOf } from "./values.ts"
import { hasVersion, locate, matchOf, type Named } from "./write.ts"
import { isObject, valueOfDefault } from "./write-input.ts"
import type { Call, Write } from "./write-types.ts"

/** What comes before the call, and the call but for what of it is answered. */
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
  /** Of the call itself. */
  readonly at: Place
}

/** Undefined, here and below, when problems were added to the draft. */
export function readOperation(draft: Draft, operation: Action, given: Given): CallEffect | undefined {
  const input = readCallInput(draft, operation, given)
  return input && { writes: [], call: { name: operation.name, input, at: given.at, place: given.place } }
}

/** Its record is looked at first: whoever asks must see it, and be allowed to do this to it. */
export function readAction(
  draft: Draft,
  resource: Resource,
  action: Action,
  { by, match, ...given }: Given & Named,
): CallEffect | undefined {
  const { name } = action
  const versioned = hasVersion(draft, resource, { place: given.at, match })
  const input = readCallInput(draft, action, given)
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
    ...matchOf(draft, match),
  }
  return {
    writes: [...located, look],
    call: { resource: resource.name, name, input, key, at: given.at, place: given.place },
  }
}

/** The slot of the JSON text of it, with each member in its canonical form, null where there is none. */
function readCallInput(
  draft: Draft,
  { name: called, input: fields }: Action,
  { input = {}, place }: Given,
): Slot | undefined {
  const { problems } = draft
  if (!isObject(input)) {
    problems.add("invalid_value", place, `What is given to ${called} is an object, not ${shown(input)}.`)
    return undefined
  }
  const before = problems.found.length
  for (const name of Object.keys(input))
    if (!fields.has(name))
      problems.add(
        "unknown_field",
        [...place, name],
        fields.size === 0 ? `\`${called}\` takes nothing.` : `\`${called}\` takes no ${shown(name)}.`,
        hintFor(name, fields.keys()),
      )
  const members = [...fields.values()].map((field): string => {
    const value = Object.hasOwn(input, field.name) ? input[field.name] : undefined
    return `${JSON.stringify(field.name)}:${readMember(draft, field, value, [...place, field.name])}`
  })
  return problems.found.length > before ? undefined : draft.bind(`{${members.join(",")}}`)
}

function readMember(draft: Draft, field: Field, input: unknown, place: Place): JsonText {
  const { problems, model } = draft
  if (input === undefined && field.default) {
    const value = valueOfDefault(draft, field, field.default)
    return value === undefined ? "null" : jsonOf(field, value)
  }
  if (input === undefined || input === null) {
    if (!field.optional)
      problems.add(
        input === null ? "invalid_value" : "missing_field",
        place,
        input === null ? `\`${field.name}\` must not be null.` : `\`${field.name}\` must be given.`,
      )
    return "null"
  }
  const read = acceptValue(valueTypeOf(model, field), input, "json")
  if (read.ok) return jsonOf(field, read.value)
  problems.add("invalid_value", place, `\`${field.name}\` ${read.wrong}.`)
  return "null"
}

/** The JSON text of a value in its canonical form. */
export function jsonOf({ scalar, list }: Pick<Field, "scalar" | "list">, value: Value): JsonText {
  if (value === null) return "null"
  if (list)
    return `[${(value as readonly Value[]).map((item) => jsonOf({ scalar, list: false }, item)).join(",")}]`
  if (scalar === "json") return String(value)
  return JSON.stringify(typeof value === "bigint" ? String(value) : value)
}

/** What own code gave, member by member as JSON text; or what is wrong with it, as the rest of a sentence. */
export function readOutput(
  model: Model,
  { output }: Action,
  given: unknown,
): ReadonlyMap<string, JsonText> | { readonly wrong: string } {
  if (output.size === 0) return new Map()
  if (!isObject(given)) return { wrong: `must give an object, not ${shown(given)}` }
  const unknown = Object.keys(given).find((name) => !output.has(name))
  if (unknown !== undefined) return { wrong: `gave ${shown(unknown)}, which its output does not have` }
  const texts = new Map<string, JsonText>()
  for (const field of output.values()) {
    const value = given[field.name] ?? null
    if (value === null && !field.optional) return { wrong: `gave no \`${field.name}\`` }
    const read =
      value === null
        ? ({ ok: true, value: null } as const)
        : acceptValue(valueTypeOf(model, field), value, "json")
    if (!read.ok) return { wrong: `gave \`${field.name}\`, which ${read.wrong}` }
    texts.set(field.name, jsonOf(field, read.value))
  }
  return texts
}
