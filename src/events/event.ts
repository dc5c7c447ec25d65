// A row of the log as a handler is given it: what today's rules show it of the record, as its history does (sql/history.ts).

import { isDeepStrictEqual } from "node:util"
import type { JsonValue } from "../base/json.ts"
import type { HandledEvent } from "../model/declaration/handlers.ts"
import { loggedMembers } from "../model/declaration/logged-members.ts"
import type { Machine, Model, Resource, Transition } from "../model/model.ts"
import { isForAll } from "../plan/every-record.ts"
import { wholeOf } from "../plan/lookup.ts"
import type { LogRow } from "../storage/log-types.ts"

/** The same for a row each time it is read. */
export const eventId = (position: bigint): string => `evt_${position}`

export type AnyEvent = Omit<HandledEvent<never, never>, "changes" | "payload"> & {
  readonly payload: JsonValue
  readonly changes: Readonly<Record<string, { readonly from: JsonValue; readonly to: JsonValue }>>
}

/** The record that an event is of, as the handler sees it. */
export type SeenRecord = Readonly<Record<string, unknown>>

/** The visible part of an event's resource, for the handler. */
interface Sight {
  readonly own: Resource
  readonly whole: Resource
  /** Undefined where it is gone, and where another has its id now; the handler sees all records then. */
  readonly record: SeenRecord | undefined
}

/**
 * @param model of the handler
 * @param record undefined where it is gone or not seen, and where another has its id by now
 */
export function eventOf(model: Model, row: LogRow, record: SeenRecord | undefined): AnyEvent {
  const { position, resource, record: recordId, version, at, actor } = row
  const sight = sightOf(model, resource, record)
  return {
    id: eventId(position),
    resource,
    recordId,
    version,
    at,
    actor,
    ...seenState(sight, row),
    input: sight ? seenInput(sight, row) : null,
    changes: sight ? seenChanges(sight, row) : {},
    payload: sight ? seenPayload(sight, row) : null,
    position: String(position),
  }
}

/** Whether the handler sees each record of the resource. */
const seesAll = (model: Model, resource: string): boolean => {
  const read = model.resources.get(resource)?.access?.read
  return read !== undefined && isForAll(read)
}

/** Whether what an event says depends on the record that it is of: on whether the handler sees it, or the state that it is in. */
export function asksRecord(model: Model, resource: string): boolean {
  const own = model.resources.get(resource)
  const states = [...(own?.machines.values() ?? [])].map(({ name }) => own?.fields.get(name))
  return !seesAll(model, resource) || states.some((field) => field?.seen !== undefined)
}

/** Undefined where nothing of the record is shown. */
function sightOf(model: Model, resource: string, record: SeenRecord | undefined): Sight | undefined {
  const own = model.resources.get(resource)
  const whole = wholeOf(model).resources.get(resource)
  return own && whole && (record || seesAll(model, resource)) ? { own, whole, record } : undefined
}

/** Actors that may not see the state learn only that the record was written. */
function seenState(
  sight: Sight | undefined,
  { resource, type, transition, from, to }: LogRow,
): Pick<AnyEvent, "type" | "transition" | "from" | "to"> {
  const shown = to === null || (sight && isMoveShown(sight, transition, to))
  return shown
    ? { type, transition, from, to }
    : { type: `${resource}.updated`, transition: null, from: null, to: null }
}

/**
 * For a transition that is no longer declared: whether the states of all machines are.
 * @param transition null where another program has changed the state
 */
function isMoveShown(sight: Sight, transition: string | null, to: string): boolean {
  const machines = [...sight.whole.machines.values()]
  const own = machines.filter(({ states, transitions }) =>
    transition === null ? states.has(to) : transitions.has(transition),
  )
  return (own.length > 0 ? own : machines).every((machine) => isStateShown(sight, machine))
}

/** A state that is shown is never missing. */
function isStateShown({ own, record }: Sight, { name }: Machine): boolean {
  const field = own.fields.get(name)
  if (!field) return false
  return field.seen === undefined || (record?.[name] ?? null) !== null
}

/** By the names of today: fields that are seen of every such record, and references such as `customerId`. */
function seenChanges({ own, whole }: Sight, row: LogRow): AnyEvent["changes"] {
  const names = new Map(
    loggedMembers(own, whole)
      .filter(({ field }) => field?.seen === undefined)
      .flatMap(({ name, was }) => [name, ...was].map((kept) => [kept, name] as const)),
  )
  return Object.fromEntries(
    Object.keys({ ...row.old, ...row.new }).flatMap((kept) => {
      const name = names.get(kept)
      const change = { from: row.old?.[kept] ?? null, to: row.new?.[kept] ?? null }
      // The log has members that were set to the value they had, too.
      return name === undefined || isDeepStrictEqual(change.from, change.to) ? [] : [[name, change]]
    }),
  )
}

function seenPayload({ own }: Sight, { type, input }: LogRow): JsonValue {
  const event = [...(own.events?.values() ?? [])].find((one) => one.type === type)
  if (!event || typeof input !== "object" || input === null || Array.isArray(input)) return null
  const shown = ([name]: readonly [string, JsonValue]): boolean =>
    event.payload.get(name)?.seen === undefined && event.payload.has(name)
  return Object.fromEntries(Object.entries(input).filter(shown))
}

/** Nothing of a transition that is no longer declared. */
function seenInput(sight: Sight, { transition: called, input }: LogRow): JsonValue {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null
  const machine = [...sight.whole.machines.values()].find(({ transitions }) => transitions.has(called ?? ""))
  const transition = machine?.transitions.get(called ?? "")
  if (!machine || !transition || !isStateShown(sight, machine)) return null
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name]) => transition.input.has(name) && isInputShown(sight, transition, name),
    ),
  )
}

/** Shown to actors that see all fields that it sets; if it sets none, to actors that may fire it. */
function isInputShown({ own, whole }: Sight, { name: called, machine, sets }: Transition, name: string) {
  const set = sets.filter(({ value }) => value.kind === "input" && value.name === name)
  if (set.length === 0) return own.machines.get(machine)?.transitions.has(called) ?? false
  const seen = loggedMembers(own, whole).filter(({ field }) => field?.seen === undefined)
  return set.every(({ member }) => seen.some((one) => one.name === member))
}
