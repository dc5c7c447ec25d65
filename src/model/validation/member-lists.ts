// Keys, unique keys and indexes list members of their own resource: fields, and to-one relations whose foreign key is
// here. None is listed twice.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import type { ResourceDeclaration } from "../declaration/declaration.ts"
import { isNaturalKey, own } from "../declaration/keys.ts"
import { type Rule, resourcesOf } from "./context.ts"

export const memberLists: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    for (const { members, at } of listsOf(resource)) {
      for (const [index, member] of members.entries()) {
        const here = [...place, ...at, index]
        if (members.indexOf(member) < index) report(here, `"${member}" is listed twice.`)
        else if (!isListable(resource, member))
          report(
            here,
            `"${name}" has no field and no to-one relation of its own called "${member}".`,
            suggest(member, listable(resource)),
          )
      }
    }
  }
}

function listsOf(resource: ResourceDeclaration): readonly { members: readonly string[]; at: Place }[] {
  return [
    ...(isNaturalKey(resource.key) ? [{ members: resource.key, at: ["key"] }] : []),
    ...(resource.unique ?? []).map((members, index) => ({ members, at: ["unique", index] })),
    ...(resource.indexes ?? []).map((members, index) => ({ members, at: ["indexes", index] })),
  ]
}

function isListable(resource: ResourceDeclaration, member: string): boolean {
  const relation = own(resource.relations, member)
  return own(resource.fields, member) !== undefined || (relation?.kind === "one" && relation.by === undefined)
}

const listable = (resource: ResourceDeclaration): readonly string[] =>
  [...Object.keys(resource.fields), ...Object.keys(resource.relations ?? {})].filter((name) =>
    isListable(resource, name),
  )
