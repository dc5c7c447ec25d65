// An index is of members that can be ordered, and is declared once.
import { own } from "../declaration/keys.ts"
import { isSortable } from "../operators.ts"
import { claims, type Rule, resourcesOf } from "./context.ts"

export const indexMembers: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    const lists = claims<true>()
    for (const [index, members] of (resource.indexes ?? []).entries()) {
      const at = [...place, "indexes", index]
      if (lists.claim(JSON.stringify(members), true))
        report(
          at,
          `"${name}" declares the index of ${members.map((member) => `"${member}"`).join(", ")} twice.`,
        )
      for (const [position, member] of members.entries()) {
        const field = own(resource.fields, member)
        if (field && !isSortable({ scalar: field.scalar, list: field.list === true }))
          report([...at, position], `"${member}" cannot be in an index: it cannot be ordered by.`)
      }
    }
  }
}
