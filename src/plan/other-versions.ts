// Hints for names that another served version has, as far as its caller sees them there.
import type { Model, Resource } from "../model/model.ts"
import { modelAt } from "../model/versions/model-at.ts"
import { versionOf } from "../model/versions/served.ts"
import { isSameTable } from "./lookup.ts"
import { memberOf } from "./member.ts"

/** @param model of the caller's audience */
export function versionHint(model: Model, has: (other: Model) => boolean): string | undefined {
  const own = versionOf(model)
  const { versions = [] } = model
  if (own === undefined || versions.length < 2) return undefined
  const today = new Date().toISOString().slice(0, 10)
  const newest = model.newest ?? model
  const at = versions.findIndex(
    ({ name, ends }) => name !== own && (ends === undefined || ends > today) && has(modelAt(newest, name)),
  )
  const found = versions[at]?.name
  if (found === undefined) return undefined
  return found > own
    ? `The request's version is ${own}; version ${found} has it (API-Version).`
    : `Version ${versions[at - 1]?.name ?? own} no longer has it; version ${found} does (API-Version).`
}

/** For a member that the resource lacks in this version. */
export const memberHint = (model: Model, resource: Resource, name: string): string | undefined =>
  versionHint(model, ({ resources }) =>
    [...resources.values()].some(
      (other) =>
        isSameTable(other.table, resource.table) &&
        (memberOf(other, name) !== undefined || other.computed?.has(name) === true),
    ),
  )

/** For a field of a GraphQL type, or of an input, whose name begins with a type's name. */
export function fieldHint(model: Model, type: string, field: string): string | undefined {
  if (type === "Query")
    return versionHint(model, ({ resources }) =>
      [...resources.values()].some(({ name, collection }) => name === field || collection === field),
    )
  const [resource] = [...model.resources.values()]
    .filter((one) => type.startsWith(one.type))
    .toSorted((one, other) => other.type.length - one.type.length)
  return resource && memberHint(model, resource, field)
}
