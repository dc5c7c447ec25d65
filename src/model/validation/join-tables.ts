// A join table joins one column, or one set of columns, to each side's key, and both its sides say the same of it.
import type { ManyDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { defaultTable } from "../declaration/default-names.ts"
import { keyOf, own } from "../declaration/keys.ts"
import { snakeCase } from "../names.ts"
import { claims, type Placed, type Report, type Rule, relationsOf, spelling } from "./context.ts"

export const joinTables: Rule = (service, report) => {
  const seen = claims<{ readonly sides: string; readonly by: string }>()
  for (const placed of relationsOf(service)) {
    const { member, place, of, name } = placed
    if (member.kind !== "many" || member.through === undefined || !own(service.resources, member.target))
      continue
    const sides = joinSides(service, { ...placed, member }, report)
    if (!sides) continue
    const table = defaultTable(typeof member.through === "string" ? member.through : member.through.table)
    const said = sides
      .map((side) => JSON.stringify(Object.entries(side).toSorted()))
      .toSorted()
      .join()
    const first = seen.claim(JSON.stringify([table.schema, spelling(of.resource)(table.name)]), {
      sides: said,
      by: `${of.name}.${name}`,
    })
    if (first && first.sides !== said)
      report(
        [...place, "through"],
        `"${of.name}.${name}" and "${first.by}" disagree on the columns of "${table.name}".`,
      )
  }
}

type Side = Readonly<Record<string, string>>

/** Near and far side as column of the join table -> column that it refers to, the resource's name before it. */
function joinSides(
  service: ServiceDeclaration,
  { name, member, place, of }: Placed<ManyDeclaration>,
  report: Report,
): readonly [Side, Side] | undefined {
  const near = keyOf(service, of.name)?.parts.map(({ column }) => column)
  const far = keyOf(service, member.target)?.parts.map(({ column }) => column)
  if (!near || !far || member.through === undefined) return undefined
  const at = [...place, "through"]
  const given =
    typeof member.through === "string"
      ? { near: defaultSide(of.name, near), far: defaultSide(member.target, far) }
      : member.through
  const shared = Object.keys(given.near).filter((column) => Object.hasOwn(given.far, column))
  if (typeof member.through === "string" && (near.length > 1 || far.length > 1))
    return fail(report, at, `A key of several columns is joined by "${name}", so its columns must be given.`)
  if (shared.length > 0)
    return fail(
      report,
      at,
      `Both sides of "${name}" would use the join table's column "${shared.join('", "')}".`,
    )
  for (const [side, key, owner] of [
    ["near", near, of.name],
    ["far", far, member.target],
  ] as const) {
    const columns = Object.values(given[side])
    if (columns.length !== key.length || !key.every((column) => columns.includes(column))) {
      report(
        [...at, side],
        `"${side}" must lead to the key of "${owner}": ${key.map((column) => `"${column}"`).join(", ")}.`,
      )
      return undefined
    }
  }
  return [tagged(of.name, given.near), tagged(member.target, given.far)]
}

function fail(report: Report, place: readonly (string | number)[], message: string): undefined {
  report(place, message, "Give `through: { table, near: { … }, far: { … } }`.")
}

const defaultSide = (resource: string, key: readonly string[]): Side => ({
  [`${snakeCase(resource)}_id`]: key[0] ?? "",
})

const tagged = (resource: string, side: Side): Side =>
  Object.fromEntries(Object.entries(side).map(([column, to]) => [column, `${resource}.${to}`]))
