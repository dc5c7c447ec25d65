// Records as other subgraphs of a federation name them: each representation has a type and the members of a key.
import type { Place } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { subjectName } from "../../plan/lookup.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { readRecord, readUnique } from "../../plan/read/record.ts"
import type { RecordRoot } from "../../plan/read-plan.ts"

/** A record that may be there; `missing` where none can be. */
export interface Named {
  readonly resource: Resource | undefined
  readonly by: RecordRoot["by"] | "missing"
}

type Members = Readonly<Record<string, unknown>>

/** Mistakes are in the draft's problems. @param place of the list */
export function readEntities(
  draft: Draft,
  representations: readonly unknown[],
  place: Place,
): readonly Named[] {
  const resources = new Map(
    [...draft.model.resources.values()].filter(({ key }) => key).map((resource) => [resource.type, resource]),
  )
  return representations.map((given, index): Named => {
    const at = [...place, String(index)]
    const members = isObject(given) ? given : {}
    const type = members["__typename"]
    const resource = typeof type === "string" ? resources.get(type) : undefined
    if (resource) return { resource, by: readKey(draft, resource, members, at) }
    const message =
      typeof type === "string"
        ? `No record is of the type ${quoteInput(type)}.`
        : "A representation must be an object with `__typename`."
    draft.problems.add("invalid_value", at, message)
    return { resource: undefined, by: "missing" }
  })
}

/** By `id`, or by the first unique key whose members all have values. */
function readKey(draft: Draft, resource: Resource, members: Members, place: Place): Named["by"] {
  const { id } = members
  if (typeof id === "string" || typeof id === "number") return readRecord(draft, resource, String(id))
  const names = (unique: Resource["uniques"][number]) =>
    unique.members.map((member) => subjectName(resource, member))
  const complete = resource.uniques.filter((one) => names(one).every((name) => Object.hasOwn(members, name)))
  if (complete.length === 0) {
    const message = `A representation of ${quoteInput(resource.type)} must have \`id\` or the members of a unique key.`
    draft.problems.add("invalid_value", place, message)
    return "missing"
  }
  // Nothing is found by a value that is lacking.
  const unique = complete.find((one) => names(one).every((name) => members[name] !== null))
  if (!unique) return "missing"
  const values = Object.fromEntries(names(unique).map((name) => [name, members[name]]))
  return readUnique(draft, resource, unique, { values, encoding: "json", place })
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
