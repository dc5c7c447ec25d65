// A visible model as the feed asks it: all that is logged can be asked for the row of an event, and pages are as large as a batch.
import { perObject } from "../base/caches.ts"
import { historyOf, historyRelation, showsHistory } from "../model/build/history.ts"
import { withDefaultCosts } from "../model/limits.ts"
import type { Field, Model, Resource } from "../model/model.ts"
import { logTable } from "../sql/schema/system-tables.ts"

/** Events that are read at a time. */
export const batch = 100

/** The event's own number in the log, as a member of its history entry. */
export const rowNumber = "rowNumber"

/** The relation of a record to its entries in the log, also where its history is not shown. No declared member has the name. */
export const loggedEntries = "~entries"

/** @param model of an actor; its rules stay as they are */
export const feedModel = perObject((model: Model): Model => {
  const resources = [...model.resources].map(([name, it]) => [name, withEntries(it)] as const)
  const hidden = [...model.resources.values()].filter((it) => it.logged && it.key && !showsHistory(it))
  const { audience } = model
  return {
    ...model,
    ...(audience && { audience: { ...audience, whole: feedModel(audience.whole) } }),
    ...(model.newest && { newest: feedModel(model.newest) }),
    resources: new Map(resources),
    histories: new Map(
      [...model.histories.values(), ...hidden.map((it) => historyOf(it, `${it.type}~`))].map((history) => [
        history.name,
        withRowNumber(history),
      ]),
    ),
    limits: {
      ...model.limits,
      page: { default: batch, max: batch },
      cost: withDefaultCosts(),
      tiers: new Map(),
    },
  }
})

function withEntries(resource: Resource): Resource {
  const relation = resource.logged ? historyRelation(resource) : undefined
  if (!relation) return resource
  const own = { ...relation, name: loggedEntries }
  return { ...resource, relations: new Map([...resource.relations, [loggedEntries, own]]) }
}

/** Without the members that are visible of some records only: for entries whose record is not there to ask. @param model of the feed */
export const certainModel = perObject((model: Model): Model => {
  const left = (fields: ReadonlyMap<string, Field>) => new Map([...fields].filter(([, { seen }]) => !seen))
  const leave = (resource: Resource): Resource => ({
    ...resource,
    fields: left(resource.fields),
    ...(resource.events && {
      events: new Map([...resource.events].map(([name, it]) => [name, { ...it, payload: left(it.payload) }])),
    }),
  })
  const resources = new Map([...model.resources].map(([name, it]) => [name, leave(it)]))
  return { ...model, resources }
})

const withRowNumber = (history: Resource): Resource => ({
  ...history,
  fields: new Map([...history.fields, [rowNumber, numbering]]),
})

const numbering: Field = {
  name: rowNumber,
  column: logTable.columns.seq,
  scalar: "int64",
  list: false,
  optional: false,
  readonly: true,
  immutable: true,
  unique: true,
  generated: false,
  constraints: {},
  stored: "plain",
}
