// What the naive interpreter says of records and of their events, as each version is told of them.
import type { Move, Stored } from "./asking.ts"
import { isByCode, type Json, shown } from "./naive.ts"
import type { Evolved, Names } from "./services.ts"

export type Body = Readonly<Record<string, unknown>>

/** One change of a record: before and after are absent where there was none, or is none. */
export interface Entry {
  readonly record: Stored
  readonly before: Stored | undefined
  readonly after: Stored | undefined
  readonly move: Move | undefined
}

const stateAt = ({ names, held }: Evolved, at: number, state: string): string => {
  const newest = names.at(-1) as Names
  const isOpen = state === newest.open || (state === "held" && held !== undefined && at < held.since)
  return isOpen ? (names[at] as Names).open : state
}

/** The record as a version reads it, but for its id. */
export function recordAt(evolved: Evolved, at: number, record: Stored): Readonly<Record<string, Json>> {
  const names = evolved.names[at] as Names
  const members = shown(evolved.versions, at, record.item)
  if (record.resource === "slot") return { code: names.keyOf(record.code), ...members }
  return {
    [names.code]: record.code,
    sku: names.keyOf(record.sku),
    ...members,
    [`${names.box}Id`]: record.box,
    ...(at < evolved.widened && { labelId: record.labels[0] ?? null }),
    [names.state]: stateAt(evolved, at, record.state),
  }
}

export interface Changed {
  readonly from: Json
  readonly to: Json
}

/** Members that really changed. */
export function changesAt(evolved: Evolved, at: number, { before, after }: Entry): Record<string, Changed> {
  const [old, now] = [before && recordAt(evolved, at, before), after ? recordAt(evolved, at, after) : {}]
  return Object.fromEntries(
    Object.entries(now)
      .map(([name, to]) => [name, { from: old?.[name] ?? null, to }] as const)
      // Links are not among what is logged of a record.
      .filter(
        ([name, { from, to }]) => from !== to && name !== "labelId" && !isByCode(evolved.versions, at, name),
      ),
  )
}

/** Of a record as events name it. */
export const eventId = ({ resource, id }: Stored): string => (resource === "slot" ? `slot_${id}` : id)

/** The event of an entry as a version is told of it, but for ids and times. */
export function eventAt(evolved: Evolved, at: number, entry: Entry): Body {
  const names = evolved.names[at] as Names
  const { record, before, after, move } = entry
  const resource = record.resource === "slot" ? "slot" : names.item
  const common = { resource, recordId: eventId(record) }
  if (!after) return { ...common, kind: "DELETED", type: `${resource}.deleted` }
  const [from, to] = move ? [stateAt(evolved, at, move.from), stateAt(evolved, at, move.to)] : [null, null]
  const isMove = move !== undefined && from !== to
  return {
    ...common,
    kind: before ? "UPDATED" : "CREATED",
    type: `${resource}.${isMove ? to : before ? "updated" : "created"}`,
    actor: null,
    transition: isMove ? (move.name === "ship" ? names.ship : move.name) : null,
    from: isMove ? from : null,
    to: isMove ? to : null,
    input: isMove && move.stamp !== undefined ? { [names.stamp]: move.stamp } : null,
    changes: changesAt(evolved, at, entry),
  }
}
