// Relations: their targets and forms, the ways back, owners, keys that lead to them, and join tables.
import { suggest } from "../../base/suggest.ts"
import type {
  ManyDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { defaultColumn, defaultTable } from "../declaration/default-names.ts"
import { foreignKey, keyOf, own } from "../declaration/keys.ts"
import { snakeCase } from "../names.ts"
import { claims, type Placed, type Report, type Rule, relationsOf, spelling } from "./context.ts"

// A relation leads to a resource of the service.
export const relationTargets: Rule = (service, report) => {
  for (const { member, place } of relationsOf(service))
    if (!own(service.resources, member.target))
      report(
        [...place, "target"],
        `No resource is called "${member.target}".`,
        suggest(member.target, Object.keys(service.resources)),
      )
}

// A relation says in one way how it finds its target.
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

// `by` names a to-one relation of the target that leads back here; for a far `one`, it must be unique there.
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
function uniqueColumns(
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

// Owned records are deleted with the one that owns them, so none may end up owning itself.
export const ownedCycles: Rule = (service, report) => {
  const owned = (name: string): readonly string[] =>
    Object.values(own(service.resources, name)?.relations ?? {}).flatMap((relation) =>
      relation.kind === "many" && relation.owned === true ? [relation.target] : [],
    )
  for (const { member, place, of } of relationsOf(service)) {
    if (member.kind !== "many" || member.owned !== true || member.by === undefined) continue
    if (reaches(owned, member.target, of.name))
      report(
        [...place, "owned"],
        `A "${of.name}" would own itself by way of "${member.target}".`,
        "Leave `owned` out in one place of the circle.",
      )
  }
}

function reaches(owned: (name: string) => readonly string[], from: string, to: string): boolean {
  const seen = new Set<string>()
  const waiting = [from]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === to) return true
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...owned(next))
  }
  return false
}

// A foreign key leads to a key: the target has one, of as many columns as the relation gives.
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

// A join table joins one column, or one set of columns, to each side's key, and both sides describe it alike.
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
