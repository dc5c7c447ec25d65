// A unique key asks for one record: its members can be compared, a relation in it has a reference, and it is named once.
import { foreignKey, keyOf, namesKey, own } from "../declaration/keys.ts"
import { isSortable } from "../operators.ts"
import { claims, fieldsOf, type Rule, resourcesOf } from "./context.ts"

export const uniqueKeys: Rule = (service, report) => {
  for (const { name, member, place } of fieldsOf(service))
    if (member.unique && !isSortable({ scalar: member.scalar, list: member.list === true }))
      report([...place, "unique"], `"${name}" cannot be unique: ${unfit(member)}.`)
  for (const { name, resource, place } of resourcesOf(service)) {
    const sets = claims<string>()
    for (const [field, { unique }] of Object.entries(resource.fields))
      if (unique) sets.claim(identity([field]), field)
    for (const [index, members] of (resource.unique ?? []).entries()) {
      const at = [...place, "unique", index]
      if (sets.claim(identity(members), members.join()) !== undefined)
        report(
          at,
          `"${name}" declares the unique key of ${members.map((member) => `"${member}"`).join(", ")} twice.`,
        )
      for (const [position, member] of members.entries()) {
        const field = own(resource.fields, member)
        const relation = own(resource.relations, member)
        if (field && !isSortable({ scalar: field.scalar, list: field.list === true }))
          report([...at, position], `"${member}" cannot be in a unique key: ${unfit(field)}.`)
        const join = relation?.kind === "one" ? foreignKey(service, member, relation) : undefined
        if (relation && join && !namesKey(keyOf(service, relation.target), join))
          report(
            [...at, position],
            `"${member}" cannot be in a unique key: it does not lead to the key of "${relation.target}".`,
          )
      }
    }
  }
}

const identity = (members: readonly string[]): string => JSON.stringify(members.toSorted())

const unfit = ({ scalar, list }: { readonly scalar: string; readonly list?: true }): string =>
  list ? "lists are not compared" : `${scalar} values are not compared`
