// PUT under an address that people choose: the values in the address are members of the record.
import { invariant } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Resource, ToOne } from "../../model/model.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { resourceNamed, subjectName, targetOf } from "../../plan/lookup.ts"
import { isObject, PendingKey } from "../../plan/pending-key.ts"
import type { RecordRoot, Value } from "../../plan/read-plan.ts"
import { type Action, inputMembers, keyParts } from "../../plan/write/inputs.ts"
import { refused } from "../../plan/write/write-input.ts"

type By = RecordRoot["by"]

/**
 * The id of a record with a natural key (one that is given stays whole), taken apart into the members that the key consists of; each is null where the
 * address was refused already.
 */
export function nameMembers(draft: Draft, resource: Resource, by: By): By {
  const [first, ...more] = by
  if (more.length > 0 || first?.subject.kind !== "id" || resource.key?.origin === "given") return by
  const key = draft.values[first.slot]
  const parts = keyParts(resource)
  const columns = parts.map(({ column }) => column)
  const valueAt = (column = ""): Value => {
    const index = columns.indexOf(column)
    invariant(index >= 0, "the key has a value for each part")
    return Array.isArray(key) ? (key[index] ?? null) : null
  }
  const members: By[number][] = []
  const seen = new Set<string>()
  for (const { column } of parts) {
    if (seen.has(column)) continue
    const field = [...resource.fields.values()].find((candidate) => candidate.column === column)
    if (field) {
      const { slot } = draft.bind(valueAt(column))
      members.push({ subject: { kind: "field", field: field.name }, slot })
      continue
    }
    const relation = referenceAt(resource, column)
    // Hidden from the caller, who therefore cannot make the record, and names it by its id.
    if (!relation) continue
    for (const { from } of relation.join) seen.add(from)
    const target = resourceNamed(draft.model, relation.target)
    const value = keyParts(target).map((part) =>
      valueAt(relation.join.find(({ to }) => to === part.column)?.from),
    )
    members.push({ subject: { kind: "reference", relation: relation.name }, ...draft.bind(value) })
  }
  return members
}

function referenceAt(resource: Resource, column: string): ToOne | undefined {
  const ones = [...resource.relations.values()].filter((relation) => relation.kind === "one")
  return ones.find(
    ({ reference, join }) => reference !== undefined && join.some(({ from }) => from === column),
  )
}

interface Naming {
  readonly resource: Resource
  readonly by: By
  readonly action: Action
}

/** The input with the members that the address gives; it must not give them again. */
export function withNames(
  draft: Draft,
  { resource, by, action }: Naming,
  { input, place }: { readonly input: unknown; readonly place: Place },
): unknown {
  if (!isObject(input)) return input
  const keyed = (subject: Subject): Resource =>
    subject.kind === "reference" ? targetOf(draft.model, resource, subject.relation) : resource
  const takes = inputMembers(draft.model, resource, action)
  const given = new Map(Object.entries(input))
  for (const { subject, slot } of by) {
    const name = subjectName(resource, subject)
    if (given.has(name))
      draft.problems.add(
        "readonly_field",
        [...place, name],
        `\`${name}\` is given by the address, and cannot be given again.`,
      )
    if (!takes?.has(name)) continue
    given.set(
      name,
      subject.kind === "field"
        ? jsonOf(draft.values[slot] ?? null)
        : new PendingKey(keyed(subject), { slot }),
    )
  }
  return Object.fromEntries(given)
}

/** A value as a client would have written it; null stands for one that could not be read. */
const jsonOf = (value: Value): unknown => (typeof value === "bigint" ? String(value) : (value ?? refused))
