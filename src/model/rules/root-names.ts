// Root fields of GraphQL and addresses of REST are distinct: the record, the list and each unique key of a resource.
import { uniqueName } from "../build-model.ts"
import { pascalCase } from "../names.ts"
import { reservedPaths, reservedRoots } from "../reserved.ts"
import { settleResourceNames } from "../settled-names.ts"
import { claims, type PlacedResource, type Rule, resourcesOf } from "./rule.ts"

export const rootNames: Rule = (service, report) => {
  const roots = claims<string>()
  const paths = claims<string>()
  for (const placed of resourcesOf(service)) {
    const { name, resource, place } = placed
    const { collection, path } = settleResourceNames(name, resource)
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
}

const otherPlural = "Give it another `plural`."

const taken = (owner: string | undefined): string | undefined =>
  owner === undefined ? undefined : `"${owner}" has`

/** A unique key that is declared twice is another rule's matter. */
function uniqueRoots({ name, resource }: PlacedResource): readonly string[] {
  const single = Object.entries(resource.fields).flatMap(([field, { unique }]) => (unique ? [[field]] : []))
  const all = [...single, ...(resource.unique ?? [])]
  const once = new Map(all.map((members) => [JSON.stringify(members.toSorted()), members]))
  return [...once.values()].map((members) => `${name}By${pascalCase(uniqueName(resource, members))}`)
}
