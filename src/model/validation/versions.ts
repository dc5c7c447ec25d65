// A version is asked of those who change a record, so there must be records that can be named and changed.
import { type Rule, resourcesOf } from "./context.ts"

export const versions: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (resource.versioned === undefined) continue
    const why =
      resource.readonly === true ? "is read-only" : resource.key === false ? "has no key" : undefined
    if (why !== undefined)
      report([...place, "versioned"], `"${name}" ${why}, so its records never change and have no version.`)
  }
}
