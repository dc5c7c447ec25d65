// The members of a record on which a condition depends: a change of others leaves it as it was.
import { match } from "../base/match.ts"
import type { Subject } from "../model/condition.ts"
import type { Resource } from "../model/model.ts"
import { fieldNamed, relationNamed, subjectName } from "../plan/lookup.ts"
import type { Filter } from "../plan/read-plan.ts"

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
