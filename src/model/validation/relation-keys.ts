// A foreign key leads to a key: the target has one, of as many columns as the relation gives.
import type { OneDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { keyOf, own } from "../declaration/keys.ts"
import { type Placed, type Report, type Rule, relationsOf } from "./context.ts"
import { uniqueColumns } from "./relations-back.ts"

export const relationKeys: Rule = (service, report) => {
  for (const placed of relationsOf(service)) {
    const { name, member, place } = placed
    const target = own(service.resources, member.target)
    if (!target) continue
    if (target.key === false)
      report([...place, "target"], `"${member.target}" has no key, so no relation can lead to it.`)
    else if (member.kind === "one" && member.by === undefined)
      checkForeignKey(service, { ...placed, member }, report)
    else if (member.kind === "many" && placed.of.resource.key === false)
      report(place, `"${placed.of.name}" has no key, so "${name}" cannot lead from it.`)
  }
}

function checkForeignKey(
  service: ServiceDeclaration,
  { name, member, place }: Placed<OneDeclaration>,
  report: Report,
): void {
  const key = keyOf(service, member.target)?.parts.map(({ column }) => column)
  const target = own(service.resources, member.target)
  if (!key || !target) return
  if (member.columns === undefined) {
    if (key.length > 1)
      report(
        place,
        `The key of "${member.target}" has ${key.length} columns, so "${name}" needs as many.`,
        `Give \`columns: { ${key.map((column) => `…: "${column}"`).join(", ")} }\`.`,
      )
    return
  }
  const given = Object.values(member.columns)
  const keys = [key, ...uniqueColumns(service, target)]
  if (
    keys.some(
      (columns) => columns.length === given.length && columns.every((column) => given.includes(column)),
    )
  )
    return
  report(
    [...place, "columns"],
    `The columns of "${name}" lead to no key of "${member.target}".`,
    `Its keys are ${keys.map((columns) => columns.map((column) => `"${column}"`).join(" with ")).join(", ")}.`,
  )
}
