// The history of records in the model: a resource for each logged one, and the relation from its records to it.
// Reads treat a history as any resource; sql/read/history.ts has the differences.
import type { Condition, Slot } from "../condition.ts"
import type { ResourceDeclaration } from "../declaration/declaration.ts"
import type { Enumeration, Field, Resource, ToMany } from "../model.ts"
import { historyMember } from "../reserved.ts"
import type { ScalarName } from "../scalars.ts"

/** No declared resource has such a name. */
const entriesOf = (resource: string): string => `${resource}.${historyMember}`

export const isLogged = ({ states, history, events }: ResourceDeclaration): boolean =>
  states !== undefined || history === true || Object.keys(events ?? {}).length > 0

/** The history of a resource; undefined if its records have no name. */
export function historyRelation({ name, key }: Resource): ToMany | undefined {
  const [part] = key?.parts ?? []
  if (!part) return undefined
  return {
    kind: "many",
    name: historyMember,
    target: entriesOf(name),
    description: "Recorded changes, oldest first: time, actor and changed fields.",
    // The search for an index reads this join; sql/read/row.ts writes the comparison.
    join: [{ from: part.column, to: "record" }],
    owned: false,
    history: true,
  }
}

/** Changes that are logged for handlers only have no readable history. */
export const showsHistory = ({ relations }: Pick<Resource, "relations">): boolean => {
  const relation = relations.get(historyMember)
  return relation?.kind === "many" && relation.history === true
}

/** By name. Types of declared resources and enumerations keep their names; a history takes another. */
export function historiesOf(
  resources: ReadonlyMap<string, Resource>,
  enums: ReadonlyMap<string, Enumeration>,
): ReadonlyMap<string, Resource> {
  const taken = new Set([...[...resources.values()].map(({ type }) => type), ...enums.keys()])
  const histories = [...resources.values()].flatMap((resource): readonly Resource[] => {
    if (!showsHistory(resource)) return []
    let type = `${resource.type}HistoryEntry`
    while (taken.has(type)) type += "_"
    taken.add(type)
    return [historyOf(resource, type)]
  })
  return new Map(histories.map((history) => [history.name, history]))
}

export const entryDescription = (collection: string): string =>
  `One recorded change of one of the ${collection}.`

/** @param type of the GraphQL object */
export function historyOf({ name, collection, version, key, events }: Resource, type: string): Resource {
  const own = events ? [...members, payload] : members
  return {
    name: entriesOf(name),
    type,
    collection: historyMember,
    path: historyMember,
    prefix: "",
    description: entryDescription(collection),
    table: { name: "bifold_log" },
    version: { kind: "row" },
    writable: false,
    needsVersion: false,
    tiebreak: "row",
    fields: new Map(own.map((field) => [field.name, field])),
    relations: new Map(),
    uniques: [],
    indexes: [{ columns: ["record"] }],
    machines: new Map(),
    logged: false,
    access: { read: everybody },
    historyOf: {
      resource: name,
      order: version.kind === "column" ? "number" : "seq",
      reused: key?.origin !== "typeid",
    },
  }
}

/** Callers that see the record. */
const everybody: Condition<Slot> = { kind: "and", of: [] }

const member = (name: string, scalar: ScalarName, description: string, optional = false): Field => ({
  name,
  column: name,
  scalar,
  list: false,
  optional,
  readonly: true,
  immutable: true,
  unique: false,
  generated: false,
  constraints: {},
  stored: "plain",
  description,
  shownOnly: true,
})

/** Kept where a transition's input is. */
const payload: Field = {
  ...member(
    "payload",
    "json",
    "The values of an event that an action emitted, as far as they are shown.",
    true,
  ),
  column: "input",
}

const members: readonly Field[] = [
  member("version", "text", "The record's version since then."),
  member(
    "type",
    "text",
    "Name of the event, such as `order.created`, `order.updated` and, for a transition, `order.paid`.",
  ),
  member("at", "timestamp", "When."),
  member("actor", "text", "Who: the id of the person's record, or the name of a credential.", true),
  member("transition", "text", "The transition that was fired.", true),
  member("from", "text", "The state that it started from.", true),
  member("to", "text", "The state that it led to.", true),
  member("input", "json", "The input of the operation, without secret members.", true),
  member(
    "changes",
    "json",
    'The members that changed, as far as they are shown: `[{"field": …, "from": …, "to": …}]`.',
  ),
]
