// Fields that own code computes: what they need is in the answer's text, in marks; in their places goes what the code
// comes to, asked once for each field and for all records of the answer at once.
import { present } from "../base/invariant.ts"
import type { JsonText } from "../base/json.ts"
import { textOf } from "../base/json.ts"
import { Refusal } from "../base/problem.ts"
import type { CodeComputed, Model } from "../model/model.ts"
import { acceptValue } from "../plan/accept.ts"
import type { Actor } from "../plan/actor.ts"
import { codeActor } from "../plan/code-actor.ts"
import { awaitedMark, cursorBegin, cursorEnd, failed, unrepresentable } from "../plan/marks.ts"
import { resourceNamed } from "../plan/names.ts"
import type { Answer, Failure } from "../plan/types.ts"
import { jsonOf, valueTypeOf } from "../plan/values.ts"
import type { Awaited } from "../sql/statement.ts"

/** What one record's value is: its text, or why there is none. */
type Outcome = { readonly text: JsonText } | { readonly failure: Failure; readonly fault?: unknown }

const mark = new RegExp(`${cursorBegin}${awaitedMark}(\\d+)([^${cursorEnd}]*)${cursorEnd}`, "g")

export async function fillComputed(
  answer: Answer,
  awaited: readonly Awaited[],
  actor: Actor,
): Promise<Answer> {
  const texts = answer.roots.map((root) => root && textOf(root))
  const outcomes = await Promise.all(
    recordsIn(texts, awaited.length).map((records, index) =>
      outcomesOf(actor, present(awaited[index], "a mark has its field"), records),
    ),
  )
  const failures: Failure[] = []
  const faults = new Set<unknown>()
  const placed = (index: string, record: string): string => {
    const outcome = present(outcomes[Number(index)]?.get(record), "each record has an outcome")
    if ("text" in outcome) return outcome.text
    if (outcome.fault !== undefined) faults.add(outcome.fault)
    const known = failures.indexOf(outcome.failure)
    return `${failed}${known >= 0 ? known : failures.push(outcome.failure) - 1}${failed}`
  }
  const roots = texts.map((text) => text?.replace(mark, (_, index, record) => placed(index, record)) ?? null)
  const flawed = failures.length > 0 || roots.some((root) => root?.includes(unrepresentable))
  return { ...answer, roots, flawed, failures, faults: [...faults] }
}

/** For each field the records of which it is asked, as their texts: those that are the same once. */
function recordsIn(texts: readonly (string | null)[], count: number): readonly (readonly JsonText[])[] {
  const found = Array.from({ length: count }, () => new Set<JsonText>())
  for (const text of texts)
    for (const [, index, record = ""] of text?.matchAll(mark) ?? []) found[Number(index)]?.add(record)
  return found.map((records) => [...records])
}

async function outcomesOf(
  actor: Actor,
  { resource, field: name }: Awaited,
  texts: readonly JsonText[],
): Promise<ReadonlyMap<JsonText, Outcome>> {
  const computed = present(
    resourceNamed(actor.model, resource).computed?.get(name),
    `own code computes ${name}`,
  )
  const all = new Map<JsonText, Outcome>()
  // Of a record that holds what its declaration rules out nothing can be computed.
  const sound = texts.filter((text) => !text.includes(unrepresentable))
  for (const text of texts) all.set(text, { text: unrepresentable })
  if (sound.length === 0) return all
  const outcomes = await run(actor, computed, `${resource}.${name}`, sound)
  for (const [index, text] of sound.entries()) all.set(text, present(outcomes[index], "each has its own"))
  return all
}

async function run(
  actor: Actor,
  computed: CodeComputed,
  called: string,
  texts: readonly JsonText[],
): Promise<readonly Outcome[]> {
  const { name } = computed.field
  try {
    const records = texts.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
    const values = await inTime(computed, called, (signal) =>
      computed.run(records, { actor: codeActor(actor), signal }),
    )
    if (!Array.isArray(values) || values.length !== records.length)
      throw new TypeError(
        `${called} gave ${Array.isArray(values) ? `${values.length} values` : "no list of values"} for ${records.length} records.`,
      )
    return values.map((value: unknown) => outcomeOf(actor.model, computed, called, value))
  } catch (error) {
    const outcome = failedBy(name, error)
    return texts.map(() => outcome)
  }
}

/** Rejects when the time is over; what the code comes to afterwards is nobody's. */
async function inTime(
  { deadline }: CodeComputed,
  called: string,
  work: (signal: AbortSignal) => unknown,
): Promise<unknown> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`${called} took longer than ${deadline} ms.`)
      stop.abort(error)
      reject(error)
    }, deadline)
  })
  try {
    return await Promise.race([work(stop.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

function outcomeOf(model: Model, { field }: CodeComputed, called: string, value: unknown): Outcome {
  if (value instanceof Error) return failedBy(field.name, value)
  if (value === null) return field.optional ? { text: "null" } : missing(field.name)
  const type = valueTypeOf(model, field)
  const read = acceptValue(type, value, "json")
  return read.ok
    ? { text: jsonOf(type, read.value) }
    : failedBy(field.name, new TypeError(`A value of ${called} ${read.wrong}.`))
}

const missing = (name: string): Outcome => ({
  failure: { code: "computed_failed", message: `\`${name}\` came to nothing.`, missing: true },
})

/** A problem that was thrown on purpose is told; anything else is for the log. */
function failedBy(name: string, error: unknown): Outcome {
  if (error instanceof Refusal) {
    const [{ message, hint }] = error.problems
    return { failure: { code: "computed_failed", message, ...(hint !== undefined && { hint }) } }
  }
  const hint = "Name the request id when you report it."
  return { failure: { code: "computed_failed", message: `\`${name}\` could not be computed.`, hint }, fault: error }
}
