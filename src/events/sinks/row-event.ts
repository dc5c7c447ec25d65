// A row of the log as the operator sees it, from the row alone, without the database. So a message is the same whenever a sink
// sends it. The message shows the model's members only, without regard to conditions on callers.
import { isDeepStrictEqual } from "node:util"
import type { JsonValue } from "../../base/json.ts"
import { loggedMembers } from "../../model/declaration/logged-members.ts"
import { formerlyHappened, formerValues, valueNow } from "../../model/event-types.ts"
import type { Field, Machine, Model, Resource } from "../../model/model.ts"
import { wholeOf } from "../../plan/lookup.ts"
import type { LogRow } from "../../storage/log-types.ts"

interface Change {
  readonly field: string
  readonly from: JsonValue
  readonly to: JsonValue
}

interface RowEvent {
  readonly type: string
  readonly transition: string | null
  readonly from: string | null
  readonly to: string | null
  readonly input: JsonValue
  /** Present where the resource has events of its own. */
  readonly payload?: JsonValue
  readonly changes: readonly Change[]
}

type State = string | null
/** Former names of states with today's names. */
type Happened = ReturnType<typeof formerlyHappened>

interface Shown {
  /** The newest version of the whole service. */
  readonly all: Model
  readonly own: Resource
  readonly whole: Resource
}

/** @param model with the resource of the row */
export function rowEvent(model: Model, row: LogRow): RowEvent {
  const own = model.resources.get(row.resource)
  const all = wholeOf(model)
  const whole = all.resources.get(row.resource)
  if (!own || !whole) throw new Error(`There is no resource ${row.resource}.`)
  const shown = { all, own, whole }
  const { resource, transition } = row
  const happened = formerlyHappened(whole)
  const type = typeNow(happened, row)
  const [from, to] = [row.from, row.to].map((state) => happened.get(state ?? "") ?? state) as [State, State]
  const move = to === null || isMoveShown(shown, transition, to)
  return {
    ...(move
      ? { type, transition, from, to }
      : { type: `${resource}.updated`, transition: null, from: null, to: null }),
    input: inputOf(shown, row),
    ...(own.events && { payload: payloadOf(shown, row) }),
    changes: changesOf(shown, row),
  }
}

/** The log has the names that states had. */
function typeNow(happened: Happened, { resource, type }: LogRow): string {
  const now = happened.get(type.slice(resource.length + 1))
  return now === undefined ? type : `${resource}.${now}`
}

/**
 * For a transition that is no longer declared: whether the states of all machines are.
 * @param transition null where another program has changed the state
 */
function isMoveShown({ own, whole }: Shown, transition: string | null, to: string): boolean {
  const machines = [...whole.machines.values()]
  const moved = machines.filter(({ states, transitions }) =>
    transition === null ? states.has(to) : transitions.has(transition),
  )
  return (moved.length > 0 ? moved : machines).every(({ name }) => own.fields.has(name))
}

function changesOf({ all, own, whole }: Shown, row: LogRow): readonly Change[] {
  const names = new Map(
    loggedMembers(own, whole).flatMap((member) =>
      [member.name, ...member.was].map((kept) => [kept, member] as const),
    ),
  )
  return Object.keys({ ...row.old, ...row.new }).flatMap((kept) => {
    const member = names.get(kept)
    const [from = null, to = null] = [row.old, row.new].map((image) => image?.[kept] ?? null)
    // The log has members that were set to the value they had, too.
    if (member === undefined || isDeepStrictEqual(from, to)) return []
    const now = (value: JsonValue): JsonValue => valueNow(all, whole, member.name, value)
    return [{ field: member.name, from: now(from), to: now(to) }]
  })
}

function inputOf(shown: Shown, { transition: called, input }: LogRow): JsonValue {
  const { all, own, whole } = shown
  const machine = [...whole.machines.values()].find(({ transitions }) => transitions.has(called ?? ""))
  const transition = machine?.transitions.get(called ?? "")
  if (!machine || !transition || !own.fields.has(machine.name)) return null
  const members = new Set(loggedMembers(own, whole).map(({ name }) => name))
  const isShown = (name: string): boolean => {
    const set = transition.sets.filter(({ value }) => value.kind === "input" && value.name === name)
    if (!transition.input.has(name)) return false
    if (set.length === 0) return isFired(own.machines.get(machine.name), transition.name)
    return set.every(({ member }) => members.has(member))
  }
  return picked(all, input, (name) => (isShown(name) ? transition.input.get(name) : undefined))
}

const isFired = (machine: Machine | undefined, transition: string): boolean =>
  machine?.transitions.has(transition) ?? false

function payloadOf({ all, own: { events } }: Shown, { type, input }: LogRow): JsonValue {
  const event = [...(events?.values() ?? [])].find((one) => one.type === type)
  if (!event) return null
  return picked(all, input, (name) => {
    const field = event.payload.get(name)
    return isTold(field?.read) ? field : undefined
  })
}

/** A member with `read: []` is hidden from all callers. */
const isTold = (read: unknown): boolean => !(Array.isArray(read) && read.length === 0)

/** @param shown the input's field; undefined where it is not shown */
function picked(model: Model, input: JsonValue, shown: (name: string) => Field | undefined): JsonValue {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const field = shown(name)
      return field ? [[name, formerValues(model, field).get(String(value)) ?? value]] : []
    }),
  )
}
