// Fields computed by user code: the answer's text holds placeholders with the needed values. The code is called once for each
// field, for all records of the answer.
import { present } from "../../base/invariant.ts"
import { type JsonText, type JsonValue, textOf } from "../../base/json.ts"
import { Refusal } from "../../base/problem.ts"
import type { RequestRecord } from "../../base/telemetry.ts"
import type { CodeComputed, Model } from "../../model/model.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { resourceNamed } from "../../plan/lookup.ts"
import {
  computedPlaceholder,
  cursorBegin,
  cursorEnd,
  failed,
  unrepresentable,
} from "../../plan/placeholders.ts"
import type { Answer, Failure } from "../../plan/read-plan.ts"
import { acceptValue } from "../../plan/values/coerce-input.ts"
import { valueText, valueTypeOf } from "../../plan/values/values.ts"
import { codeActor } from "./call-action.ts"
import { callForAll } from "./call-for-all.ts"
import { type CodeCalls, createCodeCalls, valuesByCode } from "./change-code.ts"
import { UserCodeError } from "./user-code-error.ts"

/** One record's value: its text, or the reason for its absence. */
type Outcome = { readonly text: JsonText } | { readonly failure: Failure; readonly fault?: UserCodeError }

/** By the JSON of the needed members. */
type Outcomes = ReadonlyMap<JsonText, Outcome>

const mark = new RegExp(
  `${cursorBegin}${computedPlaceholder}([^{${cursorEnd}]*)(\\{[^${cursorEnd}]*)${cursorEnd}`,
  "g",
)

/** The answer without placeholders, and the failures beside it. */
export async function fillComputed(
  answer: Answer,
  { record, ...caller }: Pick<Asking, "actor" | "now" | "record">,
): Promise<Answer> {
  const texts = answer.roots.map((root) => root && textOf(root))
  const asked = [...recordsIn(texts)]
  const asking: Asking = { ...caller, record, calls: createCodeCalls(record) }
  const found = await Promise.all(asked.map(([called, records]) => outcomesOf(asking, called, [...records])))
  const outcomes = new Map(
    asked.map(([called], index) => [called, present(found[index], "each has its own")]),
  )
  const failures: Failure[] = []
  // The first failure of each field suffices.
  const faults = new Map<string, UserCodeError>()
  const placed = (called: string, record: JsonText): string => {
    const outcome = present(outcomes.get(called)?.get(record), "each record has an outcome")
    if ("text" in outcome) return outcome.text
    if (outcome.fault && !faults.has(called)) faults.set(called, outcome.fault)
    const known = failures.indexOf(outcome.failure)
    return `${failed}${known >= 0 ? known : failures.push(outcome.failure) - 1}${failed}`
  }
  const roots = texts.map(
    (text) => text?.replace(mark, (_, called: string, record: string) => placed(called, record)) ?? null,
  )
  return {
    ...answer,
    roots,
    flawed: failures.length > 0 || roots.some((root) => root?.includes(unrepresentable)),
    failures,
    ...(faults.size > 0 && { fault: together([...faults.values()]) }),
  }
}

const together = (faults: readonly UserCodeError[]): Error =>
  faults.length === 1 && faults[0]
    ? faults[0]
    : new AggregateError(faults, "The code of several fields failed.")

/** Distinct records by `resource.field`. */
function recordsIn(texts: readonly (JsonText | null)[]): ReadonlyMap<string, ReadonlySet<JsonText>> {
  const found = new Map<string, Set<JsonText>>()
  for (const text of texts)
    for (const [, called = "", record = ""] of text?.matchAll(mark) ?? []) {
      const records = found.get(called) ?? new Set()
      found.set(called, records.add(record))
    }
  return found
}

interface Asking {
  readonly actor: Actor
  readonly now: Date
  readonly record: RequestRecord | undefined
  /** Calls of versions' functions. */
  readonly calls: CodeCalls
}

async function outcomesOf(asking: Asking, called: string, texts: readonly JsonText[]): Promise<Outcomes> {
  const [resource = "", name = ""] = called.split(".")
  const { fields, computed } = resourceNamed(asking.actor.model, resource)
  const former = fields.get(name)
  // A record with a value outside its declaration has no computed value.
  const sound = texts.filter((text) => !text.includes(unrepresentable))
  const work = (): Promise<readonly Outcome[]> =>
    former
      ? runChange(asking, { called, field: former }, sound)
      : run(asking, { ...present(computed?.get(name), `user code computes ${called}`), called }, sound)
  const outcomes = sound.length === 0 ? [] : await work()
  const all = new Map<JsonText, Outcome>(texts.map((text) => [text, { text: unrepresentable }]))
  for (const [index, text] of sound.entries()) all.set(text, present(outcomes[index], "each has its own"))
  return all
}

interface Computing extends Pick<CodeComputed, "field"> {
  /** For the log: its resource and name. */
  readonly called: string
}

async function run(
  { actor, now, record }: Asking,
  computing: CodeComputed & Computing,
  texts: readonly JsonText[],
): Promise<readonly Outcome[]> {
  try {
    const records = texts.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
    const values = await callForAll({ ...computing, record }, texts.length, (signal) =>
      computing.run(records, { actor: codeActor(actor), now, signal }),
    )
    return values.map((value) => outcomeOf(actor.model, computing, value))
  } catch (error) {
    const outcome = failedBy(computing, error)
    return texts.map(() => outcome)
  }
}

/** The values of a former field. */
async function runChange(
  { actor, calls }: Asking,
  computing: Computing,
  texts: readonly JsonText[],
): Promise<readonly Outcome[]> {
  const { field } = computing
  const records = texts.map(
    (text) => new Map(Object.entries(JSON.parse(text) as Readonly<Record<string, JsonValue>>)),
  )
  const expression = present(field.computed, "a former field comes from today's")
  const values = await valuesByCode(calls, expression, field, records)
  return values.map((value) => outcomeOf(actor.model, computing, value))
}

function outcomeOf(model: Model, computing: Computing, value: unknown): Outcome {
  const { field } = computing
  if (value instanceof Error) return failedBy(computing, value)
  if (value === null) return field.optional ? { text: "null" } : missing(field.name)
  const read = acceptValue(valueTypeOf(model, field), value, "json")
  return read.ok
    ? { text: valueText(field, read.value) }
    : failedBy(computing, new TypeError(`A value ${read.wrong}.`))
}

const missing = (name: string): Outcome => ({
  failure: {
    code: "computed_failed",
    message: `There is no value of \`${name}\`, and there has to be one.`,
    missing: true,
  },
})

/** Problems are shown to the caller; any other error goes to the log. */
function failedBy({ called, field: { name } }: Computing, error: unknown): Outcome {
  if (error instanceof Refusal) {
    const [{ message, hint }] = error.problems
    return { failure: { code: "computed_failed", message, ...(hint !== undefined && { hint }) } }
  }
  return {
    failure: {
      code: "computed_failed",
      message: `\`${name}\` could not be computed.`,
      hint: "Quote the requestId when you report it.",
    },
    fault:
      error instanceof UserCodeError
        ? error
        : new UserCodeError(`The code that computes ${called} failed.`, { cause: error }),
  }
}
