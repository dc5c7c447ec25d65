// `from` of a field says of which columns its value is made for records from before it: an expression of the record's own.
import type { Place } from "../../base/problem.ts"
import { followedIn, readExpression } from "../expression.ts"
import { lookedAt } from "./computed-cycles.ts"
import { mayBeNull } from "./computed-types.ts"
import { fieldsOf, type Rule } from "./context.ts"

export const conversions: Rule = (service, report) => {
  for (const { name, member, place, of } of fieldsOf(service)) {
    if (member.from === undefined || member.computed !== undefined) continue
    const at: Place = [...place, "from"]
    if (service.managed === false) {
      report(at, "Bifold does not manage these tables, so it makes no values in them.", "Leave out `from`.")
      continue
    }
    if (member.list || member.scalar === "json" || member.scalar === "bytes") {
      report(at, `Values of "${name}" cannot be made by an expression.`, "Leave out `from`.")
      continue
    }
    const expression = readExpression(member.from, report, at)
    if (!expression) continue
    const [followed] = followedIn(expression)
    if (followed)
      report(at, `\`from\` is about the record's own columns, and "${followed.relation}" is a relation.`)
    // Others are columns that a database had before.
    const { fields } = of.resource
    const sources = lookedAt(service, of.name, expression).map(({ field }) => field)
    const isKnown = sources.every(
      (source) => source !== name && fields[source]?.computed === undefined && fields[source],
    )
    if (!followed && isKnown)
      mayBeNull(
        { service, resource: of.resource, name, report },
        { ...member, optional: true },
        expression,
        at,
      )
  }
}
