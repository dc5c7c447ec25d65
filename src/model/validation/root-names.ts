// Root fields of GraphQL and addresses of REST are distinct: the record, the list and each unique key of a resource, and
// what can be done with either.
import { uniqueName } from "../build/build-model.ts"
import type { ServiceDeclaration } from "../declaration/declaration.ts"
import { defaultResourceNames } from "../declaration/default-names.ts"
import { mutationNames, transitionNames, upsertName } from "../declaration/mutation-names.ts"
import { pascalCase } from "../names.ts"
import { reservedPaths, reservedRoots } from "../reserved.ts"
import { claims, type PlacedResource, type Report, type Rule, resourcesOf, transitionsOf } from "./context.ts"

export const rootNames: Rule = (service, report) => {
  const roots = claims<string>()
  const paths = claims<string>()
  for (const placed of resourcesOf(service)) {
    const { name, resource, place } = placed
    const { collection, path } = defaultResourceNames(name, resource)
    for (const root of [name, collection, ...uniqueRoots(placed)]) {
      const owner = reservedRoots.has(root) ? "every service has" : taken(roots.claim(root, name))
      if (owner !== undefined)
        report(
          place,
          `"${name}" would be asked for as "${root}", which ${owner}.`,
          root === collection ? otherPlural : "Give it another name.",
        )
    }
    const owner = reservedPaths.has(path) ? "every service has" : taken(paths.claim(path, name))
    if (owner !== undefined)
      report(place, `"${name}" would have the address "/${path}", which ${owner}.`, otherPlural)
  }
  checkMutations(service, report)
}

/** Those of transitions are as distinct; the others hold the names of resources, which are. */
function checkMutations(service: ServiceDeclaration, report: Report): void {
  const mutations = claims<string>()
  const named = ({ name, resource }: PlacedResource) => ({
    name,
    collection: defaultResourceNames(name, resource).collection,
  })
  for (const placed of resourcesOf(service)) {
    for (const [verb, mutation] of Object.entries(mutationNames(named(placed))))
      mutations.claim(mutation, `is how one would ${verb.replace("Many", "")} "${placed.name}"`)
    for (const unique of uniquesOf(placed))
      mutations.claim(upsertName(named(placed), unique), `is how one would upsert "${placed.name}"`)
  }
  for (const { name, place, of } of transitionsOf(service)) {
    const here = `is the transition "${name}" of "${of.name}"`
    const taken = Object.values(transitionNames(named(of), name)).flatMap((mutation) => {
      const owner = mutations.claim(mutation, here)
      return owner === undefined || owner === here ? [] : [{ mutation, owner }]
    })
    for (const { mutation, owner } of taken.slice(0, 1))
      report(
        place,
        `"${name}" of "${of.name}" would be the mutation "${mutation}", which ${owner}.`,
        "Give it another name.",
      )
  }
}

const otherPlural = "Give it another `plural`."

const taken = (owner: string | undefined): string | undefined =>
  owner === undefined ? undefined : `"${owner}" has`

const uniqueRoots = (placed: PlacedResource): readonly string[] =>
  uniquesOf(placed).map((unique) => `${placed.name}By${pascalCase(unique)}`)

/** Names of unique keys. One that is declared twice is another rule's matter. */
function uniquesOf({ resource }: PlacedResource): readonly string[] {
  const single = Object.entries(resource.fields).flatMap(([field, { unique }]) => (unique ? [[field]] : []))
  const all = [...single, ...(resource.unique ?? [])]
  const once = new Map(all.map((members) => [JSON.stringify(members.toSorted()), members]))
  return [...once.values()].map((members) => uniqueName(resource, members))
}
