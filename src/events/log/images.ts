// States of a record around an event, from the record as it is and the log since then. Read for Bifold itself: what a
// subscriber learns of them is whether its own rules hold.

import { randomUUID } from "node:crypto"
import { present } from "../../base/invariant.ts"
import type { JsonValue } from "../../base/json.ts"
import type { Place, Problem } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { AnswerPlan } from "../../http/face.ts"
import { valueNow } from "../../model/event-types.ts"
import type { Model, Resource } from "../../model/model.ts"
import { type Actor, everybodyOf } from "../../plan/access/actor.ts"
import { openModel } from "../../plan/access/visible-model.ts"
import { startDraft } from "../../plan/draft/draft.ts"
import { memberOf } from "../../plan/member.ts"
import { failed, markedJson, unrepresentable } from "../../plan/placeholders.ts"
import type { Answer, Member, ReadPlan, Value } from "../../plan/read-plan.ts"
import { readId } from "../../plan/values/ids.ts"
import { readValue, valueTypeOf } from "../../plan/values/values.ts"
import type { Log, LogRow } from "../../storage/log-types.ts"
import type { Sight } from "./sight.ts"

/** Members of a record by their names in the log, as JSON; null where there is no record. */
export type State = Readonly<Record<string, JsonValue>> | null

interface States {
  readonly before: State
  readonly after: State
}

/** Rows that are read at a time. */
const step = 500

interface ImagesOptions {
  /** The whole service. */
  readonly model: Model
  readonly log: Pick<Log, "for">
  readonly answer: AnswerPlan
}

/** Gives the states of a record around one of the rows of a resource. Rows of a record share their reads. */
export type StatesAround = (
  rows: readonly LogRow[],
  sight: Sight,
  request?: Request,
) => (row: LogRow) => Promise<States>

export function createStatesAround({ model: whole, log, answer }: ImagesOptions): StatesAround {
  const model = openModel(whole)
  const actor: Actor = { ...everybodyOf(model), name: "bifold feed" }
  const plans = new Map<string, (key: Value) => ReadPlan>()
  const planOf = ({ whole: { name: called }, image }: Sight) => {
    const found = plans.get(called)
    if (found) return found
    const made = presentPlan(model, called, image)
    plans.set(called, made)
    return made
  }
  const current = async ({ record }: LogRow, { sight, request }: Around): Promise<State> => {
    const key = readId(sight.whole, record)
    if (!key) return null
    const answered = await answer(planOf(sight)(key), actor, request)
    const [json] = answered.roots
    return json ? (readMarked(String(json), answered).value as State) : null
  }
  const since = async (first: LogRow, request: Request | undefined): Promise<readonly LogRow[]> => {
    const { resource, record } = first
    const rows: LogRow[] = []
    const own = log.for(request)
    for (let after = first.position - 1n; ; ) {
      const more = await own.read(after, step, { resource, record })
      rows.push(...more)
      const last = more.at(-1)
      if (!last || more.length < step) return rows
      after = last.position
    }
  }
  /** @param rows of one record, in the order of the log */
  const around = async (rows: readonly [LogRow, ...LogRow[]], by: Around): Promise<Positioned> => {
    const [first] = rows
    const wanted = new Set(rows.map(({ position }) => position))
    // In this order: undoing a change that is not in the record yet leaves it as it is.
    let state = await current(first, by)
    const later = await since(first, by.request)
    const found = new Map<bigint, States>()
    for (const one of later.toReversed()) {
      const before = undo(state, one)
      if (wanted.has(one.position)) found.set(one.position, { before, after: state })
      state = before
    }
    return { found, oldest: state }
  }
  return (rows, sight, request) => {
    const byRecord = Map.groupBy(rows, ({ record }) => record)
    const known = new Map<string, Promise<Positioned>>()
    return async (row) => {
      const [first = row, ...others] = byRecord.get(row.record) ?? []
      const asked = known.get(row.record) ?? around([first, ...others], { sight, request })
      known.set(row.record, asked)
      const { found, oldest } = await asked
      return found.get(row.position) ?? { before: oldest, after: oldest }
    }
  }
}

interface Around {
  readonly sight: Sight
  readonly request: Request | undefined
}

interface Positioned {
  /** By the positions of the rows. */
  readonly found: ReadonlyMap<bigint, States>
  /** Before all of them. */
  readonly oldest: State
}

/** The state before a change. */
function undo(state: State, { old, new: fresh }: LogRow): State {
  if (old === null) return null
  return fresh === null || state === null ? old : { ...state, ...old }
}

/** All that the log keeps of a record, by today's names. */
function presentPlan(model: Model, name: string, image: Sight["image"]): (key: Value) => ReadPlan {
  const resource = present(model.resources.get(name), `there is a resource ${name}`)
  const draft = startDraft({ model, cursors: { seal: () => "", open: () => undefined } })
  const { slot } = draft.bind(null)
  const members = image.flatMap((member): readonly Member[] => {
    const found = memberOf(resource, member.name)
    if (found?.kind === "field") return [{ kind: "field", key: member.name, field: member.name }]
    if (found?.kind === "reference")
      return [{ kind: "reference", key: member.name, relation: found.relation.name }]
    return []
  })
  const plan = draft.finish([
    {
      kind: "record",
      key: "record",
      resource: name,
      by: [{ subject: { kind: "id" }, slot }],
      members: [{ kind: "id", key: "id" }, ...members],
    },
  ])
  return (key) => ({ ...plan, values: plan.values.with(slot, key) })
}

/** The values of an image: the key first. Values that no longer fit their declaration are missing. */
export function imageValues(
  model: Model,
  { whole, image }: Sight,
  row: Pick<LogRow, "record">,
  state: NonNullable<State>,
): readonly Value[] {
  const values = image.map((member): Value => {
    const name = [member.name, ...member.was].find((one) => Object.hasOwn(state, one))
    const json = name === undefined ? null : (state[name] ?? null)
    return json === null ? null : canonicalValue(model, whole, member.name, json)
  })
  return [readId(whole, row.record) ?? null, ...values]
}

function canonicalValue(model: Model, whole: Resource, name: string, json: JsonValue): Value {
  const member = memberOf(whole, name)
  if (member?.kind === "reference") {
    const target = model.resources.get(member.relation.target)
    return (target && typeof json === "string" && readId(target, json)) || null
  }
  if (member?.kind !== "field") return null
  const read = readValue(valueTypeOf(model, member.field), valueNow(model, whole, name, json), "json")
  return read.ok ? read.value : null
}

// Answers as data for those who follow the log: a value that cannot be shown is null, and a problem names it.
interface Read {
  readonly value: JsonValue
  /** Each with its place in the value. */
  readonly problems: readonly Problem[]
}

const stand = randomUUID()

/** @param text JSON of a root, with marks */
export function readMarked(text: string, answer: Pick<Answer, "failures">): Read {
  if (!text.includes(unrepresentable) && !text.includes(failed))
    return { value: JSON.parse(text) as JsonValue, problems: [] }
  const problems: Problem[] = []
  const complete = (value: JsonValue, place: Place): JsonValue => {
    if (Array.isArray(value)) return value.map((one: JsonValue, index) => complete(one, [...place, index]))
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, complete(one, [...place, name])]),
      )
    if (typeof value !== "string" || !value.startsWith(stand)) return value
    const { code, message } = answer.failures?.[Number(value.slice(stand.length) || Number.NaN)] ?? {
      code: "unrepresentable_value" as const,
      message: `The stored value of \`${String(place.at(-1))}\` does not fit its declaration.`,
    }
    problems.push({ code, message, place })
    return null
  }
  return { value: complete(JSON.parse(markedJson(text, stand)) as JsonValue, []), problems }
}
