// `by` names a to-one relation of the target that leads back here; for a far `one`, it must be unique there.
import { suggest } from "../../base/suggest.ts"
import type { ResourceDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { defaultColumn } from "../declaration/default-names.ts"
import { foreignKey, keyOf, own } from "../declaration/keys.ts"
import { type Rule, relationsOf } from "./context.ts"

export const relationsBack: Rule = (service, report) => {
  for (const { name, member, place, of } of relationsOf(service)) {
    const target = own(service.resources, member.target)
    if (member.by === undefined || !target) continue
    const back = leadingTo(target, of.name)
    if (!back.includes(member.by))
      report(
        [...place, "by"],
        `"${member.by}" is no to-one relation of "${member.target}" that leads to "${of.name}".`,
        suggest(member.by, back) ?? `Give "${member.target}" one, such as \`${of.name}: one("${of.name}")\`.`,
      )
    else if (member.kind === "one" && !isUnique(service, member.target, member.by))
      report(
        [...place, "by"],
        `Several records of "${member.target}" can have the same "${member.by}", so "${name}" is no to-one relation.`,
        `Add \`unique: [["${member.by}"]]\` to "${member.target}", or use \`many\`.`,
      )
  }
}

function leadingTo(target: ResourceDeclaration, here: string): readonly string[] {
  return Object.entries(target.relations ?? {}).flatMap(([name, relation]) =>
    relation.kind === "one" && relation.by === undefined && relation.target === here ? [name] : [],
  )
}

/** Whether a key of the resource lies within the relation's columns, or those are not known for another mistake. */
function isUnique(service: ServiceDeclaration, name: string, by: string): boolean {
  const resource = own(service.resources, name)
  const relation = own(resource?.relations, by)
  const join = relation?.kind === "one" ? foreignKey(service, by, relation) : undefined
  if (!resource || !join) return true
  const columns = new Set(join.map(({ from }) => from))
  const key = keyOf(service, name)?.parts.map(({ column }) => column)
  return [...(key ? [key] : []), ...uniqueColumns(service, resource)].some((unique) =>
    unique.every((column) => columns.has(column)),
  )
}

/** The columns of each unique key besides the primary one. */
export function uniqueColumns(
  service: ServiceDeclaration,
  resource: ResourceDeclaration,
): readonly (readonly string[])[] {
  const single = Object.entries(resource.fields).flatMap(([name, { unique }]) => (unique ? [[name]] : []))
  return [...single, ...(resource.unique ?? [])].map((members) =>
    members.flatMap((member) => {
      const field = own(resource.fields, member)
      if (field) return [defaultColumn(member, field)]
      const relation = own(resource.relations, member)
      const join = relation?.kind === "one" ? foreignKey(service, member, relation) : undefined
      return join?.map(({ from }) => from) ?? []
    }),
  )
}
