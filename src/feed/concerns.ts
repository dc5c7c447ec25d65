// The members of a record on which a condition depends: a change of others leaves it as it was.
import { match } from "../base/match.ts"
import type { Subject } from "../model/condition.ts"
import type { Resource } from "../model/model.ts"
import { fieldNamed, relationNamed, subjectName } from "../plan/lookup.ts"
import type { Filter } from "../plan/read-plan.ts"

/** Names of members, or `all` where it may depend on any. */
export type Concerns = ReadonlySet<string> | "all"

/** @param resource of the whole service */
export function concernsOf(resource: Resource, conditions: readonly Filter[]): Concerns {
  const names = new Set<string>()
  let all = false
  const add = (subject: Subject): void => {
    if (subject.kind === "field" && fieldNamed(resource, subject.field).computed) all = true
    else if (subject.kind !== "id") names.add(subjectName(resource, subject))
  }
  const walk = (condition: Filter): void =>
    match(condition, {
      and: ({ of }) => of.forEach(walk),
      or: ({ of }) => of.forEach(walk),
      not: ({ of }) => walk(of),
      compare: ({ subject }) => add(subject),
      isNull: ({ subject }) => add(subject),
      // The record's own part is the reference.
      related: ({ relation }) => follow(relation),
      quantified: ({ relation }) => follow(relation),
    })
  const follow = (name: string): void => {
    const relation = relationNamed(resource, name)
    if (relation.kind === "one" && relation.reference !== undefined) names.add(relation.reference)
    else if (relation.kind === "one") all = true
  }
  for (const condition of conditions) walk(condition)
  return all ? "all" : names
}

export const isConcerned = (concerns: Concerns, changed: readonly string[]): boolean =>
  concerns === "all" ? changed.length > 0 : changed.some((name) => concerns.has(name))
