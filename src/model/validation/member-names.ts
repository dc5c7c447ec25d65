// Members have names that GraphQL accepts (specification section 2.1.9), and none that every record or condition has.
import { isGraphqlName } from "../names.ts"
import { reservedMembers } from "../reserved.ts"
import { fieldsOf, type Rule, relationsOf } from "./context.ts"

export const memberNames: Rule = (service, report) => {
  for (const { name, place } of [...fieldsOf(service), ...relationsOf(service)]) {
    if (name === "id")
      report(
        place,
        '"id" is the public id of every record.',
        'Leave it out, or give it another name; a field of a table keeps its column by `column: "id"`.',
      )
    else if (reservedMembers.has(name)) report(place, `"${name}" has a meaning of its own in conditions.`)
    else if (!isGraphqlName(name))
      report(
        place,
        `"${name}" cannot be the name of a member.`,
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      )
  }
}
