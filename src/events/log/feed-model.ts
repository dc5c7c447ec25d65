// A visible model for the feed: the row of an event gives all logged members, and pages are as large as a batch.
import { perObject } from "../../base/caches.ts"
import { match } from "../../base/match.ts"
import { historyOf, historyRelation, showsHistory } from "../../model/build/history.ts"
import type { Subject } from "../../model/condition.ts"
import { withDefaultCosts } from "../../model/limits.ts"
import type { Field, Model, Resource } from "../../model/model.ts"
import { fieldNamed, relationNamed, subjectName } from "../../plan/lookup.ts"
import type { Filter } from "../../plan/read-plan.ts"
import { logTable } from "../../sql/schema/system-tables.ts"

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

// The members of a record on which a condition depends: a change of others leaves it as it was.

/** Names of members, or `all` where it may depend on any. */
export type Concerns = ReadonlySet<string> | "all"

interface Concerned {
  /** The resource in the whole service. */
  readonly whole: Resource
  /** The same in the visible model of the subscriber. */
  readonly seen: Resource
  /** The caller has a model of an older version. */
  readonly isFormer: boolean
}

interface Conditions {
  /** The rule of who may see the record, which reads hidden members too. */
  readonly read: Filter
  /** The condition of the subscriber, which compares a member only where it is seen. */
  readonly filter: Filter | undefined
}

export function concernsOf(
  { whole: resource, seen, isFormer }: Concerned,
  { read, filter }: Conditions,
): Concerns {
  const names = new Set<string>()
  let all = false
  const add = (subject: Subject): void => {
    if (subject.kind === "field" && fieldNamed(resource, subject.field).computed) all = true
    else if (subject.kind !== "id") names.add(subjectName(resource, subject))
  }
  const compare = (subject: Subject, ofFilter: boolean): void => {
    add(subject)
    const rule = ofFilter && subject.kind === "field" ? seen.fields.get(subject.field)?.seen : undefined
    if (rule) walk(rule, false)
  }
  const walk = (condition: Filter, ofFilter: boolean): void =>
    match(condition, {
      and: ({ of }) => walkAll(of, ofFilter),
      or: ({ of }) => walkAll(of, ofFilter),
      not: ({ of }) => walk(of, ofFilter),
      compare: ({ subject }) => compare(subject, ofFilter),
      isNull: ({ subject }) => compare(subject, ofFilter),
      // The record's own part is the reference.
      related: ({ relation }) => follow(relation),
      quantified: ({ relation }) => follow(relation),
      together: () => undefined,
      settled: () => undefined,
    })
  const walkAll = (several: readonly Filter[], ofFilter: boolean): void => {
    for (const one of several) walk(one, ofFilter)
  }
  const follow = (name: string): void => {
    const relation = relationNamed(resource, name)
    if (relation.kind === "one" && relation.reference !== undefined) names.add(relation.reference)
    else if (relation.kind === "one") all = true
  }
  walk(read, false)
  // An older version's names say less of what the log keeps.
  if (filter && isFormer) all = true
  else if (filter) walk(filter, true)
  return all ? "all" : names
}

export const isConcerned = (concerns: Concerns, changed: readonly string[]): boolean =>
  concerns === "all" ? changed.length > 0 : changed.some((name) => concerns.has(name))
