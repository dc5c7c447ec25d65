// A service's records in memory, in their wire form, for the naive evaluator: made from rows with bare keys.
import type { Model, Relation, Resource, ToOne } from "../../src/model/model.ts"
import type { Row, World } from "../properties/evaluate.ts"

/** Members by name; `id` is the bare key, `customerId` the bare key of its customer. */
type BareRow = Readonly<Record<string, unknown>>

export interface Records {
  readonly records: ReadonlyMap<string, readonly BareRow[]>
  readonly links: readonly {
    readonly resource: string
    readonly relation: string
    readonly pairs: readonly (readonly [string, string])[]
  }[]
}

export function worldOf(model: Model, { records, links }: Records): World {
  const rows = new Map<string, readonly Row[]>()
  for (const resource of model.resources.values())
    rows.set(
      resource.name,
      (records.get(resource.name) ?? []).map((row) => wireRow(model, resource, row)),
    )
  const byId = new Map([...rows.values()].flat().map((row) => [row["id"], row]))
  const paired = pairTables(model, links)
  const related = (name: string, relationName: string, row: Row): readonly Row[] => {
    const resource = present(model.resources.get(name))
    const relation = present(resource.relations.get(relationName))
    if (relation.kind === "one" && relation.reference) {
      const target = byId.get(row[relation.reference])
      return target ? [target] : []
    }
    if (relation.kind === "many" && relation.through) {
      const ids = paired.get(`${name}.${relationName}`)?.get(row["id"] as string) ?? []
      return ids.map((id) => present(byId.get(id)))
    }
    const back = backReference(model, relation)
    return (rows.get(relation.target) ?? []).filter((candidate) => candidate[back] === row["id"])
  }
  return { model, rows, related }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the rows do not fit the service")
  return value
}

const globalId = (resource: Resource, bare: unknown): string => `${resource.prefix}_${bare}`

function wireRow(model: Model, resource: Resource, row: BareRow): Row {
  const wire: Record<string, unknown> = { id: globalId(resource, row["id"] ?? naturalKey(resource, row)) }
  for (const field of resource.fields.values()) {
    const value = row[field.name] ?? null
    const text = typeof value === "bigint" ? String(value) : value
    wire[field.name] =
      field.scalar === "json" && resource.name === "product" ? JSON.parse(String(text)) : text
  }
  for (const relation of references(resource)) {
    const target = present(model.resources.get(relation.target))
    const bare = row[relation.reference] ?? null
    wire[relation.reference] = bare === null ? null : globalId(target, bare)
  }
  return wire
}

function references(resource: Resource): (ToOne & { reference: string })[] {
  return [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference ? [{ ...relation, reference: relation.reference }] : [],
  )
}

/** The bare key of a natural key: the members' values, text escaped when there are several (docs/guide/reading.md). */
function naturalKey(resource: Resource, row: BareRow): string {
  const parts = present(resource.key).parts.map((part) => {
    const field = [...resource.fields.values()].find((candidate) => candidate.column === part.column)
    const name =
      field?.name ?? present(references(resource).find((to) => to.join[0]?.from === part.column)).reference
    return String(row[name])
  })
  if (parts.length === 1) return present(parts[0])
  return parts.map((part) => part.replaceAll("%", "%25").replaceAll("~", "%7E")).join("~")
}

/** The reference of the target that leads back: its foreign key is what the relation joins to. */
function backReference(model: Model, relation: Relation): string {
  const target = present(model.resources.get(relation.target))
  const columns = relation.join.map((pair) => pair.to).join()
  return present(references(target).find((to) => to.join.map((pair) => pair.from).join() === columns))
    .reference
}

/** For both directions of every many-to-many: the targets' ids by id. */
function pairTables(model: Model, links: Records["links"]): Map<string, Map<string, string[]>> {
  const tables = new Map<string, Map<string, string[]>>()
  const add = (name: string, from: string, to: string): void => {
    const table = tables.get(name) ?? new Map<string, string[]>()
    tables.set(name, table.set(from, [...(table.get(from) ?? []), to]))
  }
  for (const { resource: name, relation: relationName, pairs } of links) {
    const resource = present(model.resources.get(name))
    const relation = present(resource.relations.get(relationName))
    const target = present(model.resources.get(relation.target))
    const inverse = [...target.relations.values()].find(
      (candidate) =>
        candidate.kind === "many" && candidate.target === name && candidate.through !== undefined,
    )
    for (const [from, to] of pairs) {
      add(`${name}.${relationName}`, globalId(resource, from), globalId(target, to))
      if (inverse) add(`${target.name}.${inverse.name}`, globalId(target, to), globalId(resource, from))
    }
  }
  return tables
}
