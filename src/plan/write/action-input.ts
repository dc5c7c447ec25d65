// Inputs of transitions, actions and operations: values by name without columns, read as those of fields are.

import type { Place } from "../../base/problem.ts"
import type { Field } from "../../model/model.ts"
import type { Draft } from "../draft/draft.ts"
import { hintFor } from "../hints.ts"
import { isObject } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import type { Value } from "../read-plan.ts"
import { acceptValue } from "../values/coerce-input.ts"
import { valueText, valueTypeOf } from "../values/values.ts"
import { currentDateTime } from "./default-setting.ts"
import type { InputAt } from "./write.ts"

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

/** By the names of the newest version: what was given, or is given by default. Undefined when problems were added to the draft. */
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
