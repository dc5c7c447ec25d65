// A relation says in one way how it finds its target.
import { type Rule, relationsOf } from "./context.ts"

export const relationForms: Rule = (service, report) => {
  for (const { name, member, place } of relationsOf(service)) {
    const ways =
      member.kind === "one"
        ? { column: member.column, columns: member.columns, by: member.by }
        : { by: member.by, through: member.through }
    const given = Object.entries(ways).flatMap(([way, value]) => (value === undefined ? [] : [`\`${way}\``]))
    if (given.length > 1)
      report(place, `The relation "${name}" has ${given.join(" and ")}; it can have one of them.`)
    if (member.kind === "many" && given.length === 0)
      report(
        place,
        `The relation "${name}" does not say how it finds its targets.`,
        "Give `by`, a to-one relation of the target that leads here, or `through`, a join table.",
      )
    if (member.kind === "many" && member.owned && member.through !== undefined)
      report(
        [...place, "owned"],
        `The relation "${name}" goes through a join table, so its targets have no owner.`,
      )
    if (member.kind === "one" && member.by !== undefined && member.optional === false)
      report(
        [...place, "optional"],
        `The relation "${name}" is the far side of another, so it may always be without a target.`,
      )
  }
}
