// A row of the log as a handler is given it.

import type { JsonValue } from "../base/json.ts"
import type { HandledEvent } from "../model/handlers.ts"
import type { Model, Resource } from "../model/model.ts"
import { wholeOf } from "../plan/names.ts"
import type { LogRow } from "../storage/log-types.ts"

/** The same for a row each time it is read. */
export const eventId = (position: bigint): string => `evt_${position}`

type AnyEvent = Omit<HandledEvent<never, never>, "changes"> & {
  readonly changes: Readonly<Record<string, { readonly from: JsonValue; readonly to: JsonValue }>>
}

/** @param model of the handler: what it does not see of every record is not in its events */
export function eventOf(model: Model, row: LogRow): AnyEvent {
  const { position, resource, record, version, type, at, actor, transition, from, to } = row
  const seen = seenMembers(model.resources.get(resource))
  const members = Object.keys({ ...row.old, ...row.new }).filter((member) => seen.has(member))
  return {
    id: eventId(position),
    type,
    resource,
    recordId: record,
    version,
    at,
    actor,
    transition,
    from,
    to,
    input: seenInput(seen, wholeOf(model).resources.get(resource), row),
    changes: Object.fromEntries(
      members.map((member) => [member, { from: row.old?.[member] ?? null, to: row.new?.[member] ?? null }]),
    ),
    position: String(position),
  }
}

/** Fields, and references such as `customerId`. */
function seenMembers(resource: Resource | undefined): ReadonlySet<string> {
  const fields = [...(resource?.fields.values() ?? [])].filter(({ seen }) => seen === undefined)
  const relations = [...(resource?.relations.values() ?? [])]
  const references = relations.flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined ? [relation.reference] : [],
  )
  return new Set([...fields.map(({ name }) => name), ...references])
}

/** What was given with a transition is seen where all that it sets is. */
function seenInput(
  seen: ReadonlySet<string>,
  resource: Resource | undefined,
  { transition: called, input }: LogRow,
): JsonValue {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null
  const [transition] = [...(resource?.machines.values() ?? [])].flatMap(
    ({ transitions }) => transitions.get(called ?? "") ?? [],
  )
  return Object.fromEntries(
    Object.entries(input).filter(([name]) =>
      transition?.sets.every(
        ({ member, value }) => value.kind !== "input" || value.name !== name || seen.has(member),
      ),
    ),
  )
}
