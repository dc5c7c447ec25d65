// Members of a natural key: required values, of scalars that can stand in an address, and no resource
// whose own key leads back here.
import type { ResourceDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { isNaturalKey, own } from "../declaration/keys.ts"
import { scalars } from "../scalars.ts"
import { type Rule, resourcesOf } from "./context.ts"

const usable = Object.entries(scalars).flatMap(([name, { key }]) => (key === undefined ? [] : [name]))

export const keyMembers: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (!isNaturalKey(resource.key)) continue
    for (const [index, member] of resource.key.entries()) {
      const wrong = wrongMember(service, name, resource, member)
      if (wrong !== undefined)
        report(
          [...place, "key", index],
          `"${member}" cannot be part of a key: ${wrong}.`,
          `A key is made of ${usable.join(", ")}.`,
        )
    }
  }
}

function wrongMember(
  service: ServiceDeclaration,
  name: string,
  resource: ResourceDeclaration,
  member: string,
): string | undefined {
  const field = own(resource.fields, member)
  if (field?.list) return "it is a list"
  if (field && scalars[field.scalar].key === undefined) return `it is of the scalar ${field.scalar}`
  const relation = field ? undefined : own(resource.relations, member)
  if (field?.optional || (relation?.kind === "one" && relation.optional)) return "it is optional"
  if (relation?.kind !== "one" || relation.by !== undefined) return undefined
  return leadsTo(service, relation.target, name)
    ? `the key of "${relation.target}" leads back to "${name}"`
    : undefined
}

/** Whether the key of a resource needs the key of `goal`. */
function leadsTo(
  service: ServiceDeclaration,
  name: string,
  goal: string,
  seen: readonly string[] = [],
): boolean {
  if (name === goal) return true
  const resource = own(service.resources, name)
  if (!resource || seen.includes(name) || !isNaturalKey(resource.key)) return false
  return resource.key.some((member) => {
    const relation = own(resource.relations, member)
    return relation?.kind === "one" && leadsTo(service, relation.target, goal, [...seen, name])
  })
}
