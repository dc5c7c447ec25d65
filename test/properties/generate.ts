// Random questions about a service, with values that occur in its data, so that conditions often hold.
import fc from "fast-check"
import type { Field, Model, Relation, Resource } from "../../src/model/model.ts"
import { isSortable, operatorsOf } from "../../src/model/operators.ts"
import { scalars } from "../../src/model/scalars.ts"
import type { World } from "./evaluate.ts"
import type {
  ConditionJson,
  ListQuestion,
  MeasureQuestion,
  OrderQuestion,
  Question,
  Selection,
} from "./question.ts"

type Draw = <Value>(arbitrary: () => fc.Arbitrary<Value>) => Value

interface Source {
  readonly draw: Draw
  readonly world: World
  readonly model: Model
}

/** Questions about any resource that has a key. */
export function questions(world: World): fc.Arbitrary<Question> {
  return fc.gen().map((gen) => {
    const source: Source = { draw: (arbitrary) => gen(arbitrary), world, model: world.model }
    const resource = one(
      source,
      [...world.model.resources.values()].filter((candidate) => candidate.key),
    )
    return { resource: resource.name, list: drawList(source, resource, 2, true) }
  })
}

const chance = (source: Source, percent: number): boolean =>
  source.draw(() => fc.integer({ min: 0, max: 99 })) < percent
const upTo = (source: Source, max: number): number => source.draw(() => fc.integer({ min: 0, max }))

function one<Value>(source: Source, values: readonly Value[]): Value {
  if (values.length === 0) throw new Error("nothing to choose from")
  return values[source.draw(() => fc.nat({ max: values.length - 1 }))] as Value
}

const several = <Value>(source: Source, values: readonly Value[], percent: number): Value[] =>
  values.filter(() => chance(source, percent))

function drawList(source: Source, resource: Resource, depth: number, root: boolean): ListQuestion {
  const rows = source.world.rows.get(resource.name)?.length ?? 0
  const aggregate = chance(source, 15)
  const grouped = !aggregate && groupMembers(resource).length > 0 && chance(source, 12)
  return {
    ...(chance(source, 60) ? { where: drawCondition(source, resource, 2) } : {}),
    order: drawOrder(source, resource),
    page: {
      size: one(source, [0, 1, 2, 3, 5, 20, 100]),
      backward: chance(source, 30),
      ...(root && chance(source, 25) ? { after: upTo(source, Math.max(0, rows - 1)) } : {}),
      ...(root && chance(source, 15) ? { before: upTo(source, Math.max(0, rows - 1)) } : {}),
    },
    select: drawSelection(source, resource, depth),
    total: chance(source, 30),
    ...(aggregate ? { measures: drawMeasures(source, resource) } : {}),
    ...(grouped
      ? {
          groups: {
            by: drawGroupMembers(source, resource),
            limit: one(source, [1, 3, 100]),
            measures: drawMeasures(source, resource),
          },
        }
      : {}),
  }
}

/** Histories are read, and neither compared with nor ordered by. */
const relationsOf = ({ model }: Source, resource: Resource): readonly Relation[] =>
  [...resource.relations.values()].filter(({ target }) => model.resources.has(target))

function drawSelection(source: Source, resource: Resource, depth: number): Selection {
  const relations = relationsOf(source, resource)
  const references = relations.flatMap((relation) =>
    relation.kind === "one" && relation.reference ? [relation.reference] : [],
  )
  const target = (name: string): Resource => {
    const found = source.model.resources.get(name)
    if (!found) throw new Error(`no resource ${name}`)
    return found
  }
  const reached = depth === 0 ? [] : several(source, relations, 25).slice(0, 2)
  return {
    scalars: several(source, [...resource.fields.keys(), ...references], 45),
    ones: reached
      .filter((relation) => relation.kind === "one")
      .map((relation) => ({
        relation: relation.name,
        select: drawSelection(source, target(relation.target), depth - 1),
      })),
    manys: reached
      .filter((relation) => relation.kind === "many")
      .map((relation) => ({
        relation: relation.name,
        list: drawList(source, target(relation.target), depth - 1, false),
      })),
  }
}

function drawOrder(source: Source, resource: Resource): OrderQuestion[] {
  const paths: string[][] = [...resource.fields.values()].filter(isSortable).map((field) => [field.name])
  for (const relation of resource.relations.values()) {
    if (relation.kind !== "one") continue
    if (relation.reference) paths.push([relation.reference])
    const target = source.model.resources.get(relation.target)
    for (const field of target?.fields.values() ?? [])
      if (isSortable(field)) paths.push([relation.name, field.name])
  }
  paths.push(["id"])
  const count = upTo(source, 2)
  const chosen = new Map<string, OrderQuestion>()
  for (let index = 0; index < count; index += 1) {
    const path = one(source, paths)
    const nulls = one(source, [undefined, "first", "last"] as const)
    chosen.set(path.join("."), { path, descending: chance(source, 50), ...(nulls ? { nulls } : {}) })
  }
  return [...chosen.values()]
}

function drawMeasures(source: Source, resource: Resource): MeasureQuestion[] {
  const fields = [...resource.fields.values()].filter(isSortable)
  const all: MeasureQuestion[] = [
    { kind: "count" },
    ...fields.filter(hasExactSums).flatMap(({ name }) => [
      { kind: "sum" as const, field: name },
      { kind: "avg" as const, field: name },
    ]),
    ...fields.flatMap(({ name }) => [
      { kind: "min" as const, field: name },
      { kind: "max" as const, field: name },
    ]),
  ]
  const chosen = several(source, all, 25)
  return chosen.length > 0 ? chosen : [{ kind: "count" }]
}

/** Whether sums do not depend on the order of adding up: floats in eighths, whole numbers of any size. */
const hasExactSums = (field: Field): boolean =>
  scalars[field.scalar].family === "number" && field.name !== "height"

function groupMembers(resource: Resource): string[] {
  const names = [...resource.fields.values()]
    .filter((field) => isSortable(field) && field.scalar !== "float")
    .map(({ name }) => name)
  for (const relation of resource.relations.values())
    if (relation.kind === "one" && relation.reference) names.push(relation.reference)
  return names
}

function drawGroupMembers(source: Source, resource: Resource): string[] {
  const names = groupMembers(resource)
  return [...new Set([one(source, names), ...(chance(source, 30) ? [one(source, names)] : [])])]
}

function drawCondition(source: Source, resource: Resource, depth: number): ConditionJson {
  const members: Record<string, unknown> = {}
  const count = 1 + upTo(source, 1)
  for (let index = 0; index < count; index += 1)
    Object.assign(members, drawConditionMember(source, resource, depth))
  return members
}

function drawConditionMember(source: Source, resource: Resource, depth: number): ConditionJson {
  const relations = relationsOf(source, resource)
  if (depth > 0 && chance(source, 20)) {
    const parts = Array.from({ length: upTo(source, 2) }, () => drawCondition(source, resource, depth - 1))
    const kind = one(source, ["and", "or", "not"])
    return { [kind]: kind === "not" ? drawCondition(source, resource, depth - 1) : parts }
  }
  if (depth > 0 && relations.length > 0 && chance(source, 35)) {
    const relation = one(source, relations)
    const target = source.model.resources.get(relation.target)
    if (!target) throw new Error(`no resource ${relation.target}`)
    const inner = chance(source, 15) ? {} : drawCondition(source, target, depth - 1)
    return {
      [relation.name]: relation.kind === "one" ? inner : { [one(source, ["some", "every", "none"])]: inner },
    }
  }
  return drawComparison(source, resource)
}

function drawComparison(source: Source, resource: Resource): ConditionJson {
  const candidates = [...resource.fields.values()].filter((field) => operatorsOf(field).length > 0)
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference ? [relation.reference] : [],
  )
  if (candidates.length === 0 || chance(source, 15)) {
    const name = one(source, ["id", ...references])
    const operator = one(source, ["eq", "ne", "in", "notIn"])
    const value = () => existing(source, resource, name) ?? existing(source, resource, "id")
    return { [name]: { [operator]: operator.toLowerCase().endsWith("in") ? [value(), value()] : value() } }
  }
  const field = one(source, candidates)
  const operator = one(source, operatorsOf(field))
  const value = () => existing(source, resource, field.name)
  switch (operator) {
    case "isNull":
      return { [field.name]: { isNull: chance(source, 50) } }
    case "contains":
    case "startsWith":
    case "endsWith":
    case "search":
      return { [field.name]: { [operator]: piece(source, value(), operator) } }
    case "in":
    case "notIn":
      return { [field.name]: { [operator]: list(source, value) } }
    case "has":
    case "hasAny":
    case "hasAll": {
      const item = () => {
        const items = value()
        return Array.isArray(items) && items.length > 0 ? one(source, items) : undefined
      }
      const found = item()
      if (operator === "has") return found === undefined ? {} : { [field.name]: { has: found } }
      return { [field.name]: { [operator]: list(source, item) } }
    }
    default: {
      const found = value()
      return found === undefined ? {} : { [field.name]: { [operator]: found } }
    }
  }
}

function list(source: Source, value: () => unknown): unknown[] {
  return Array.from({ length: upTo(source, 3) }, value).filter((item) => item !== undefined)
}

function existing(source: Source, resource: Resource, name: string): unknown {
  const rows = source.world.rows.get(resource.name) ?? []
  if (rows.length === 0) return undefined
  return one(source, rows)[name] ?? undefined
}

function piece(source: Source, value: unknown, operator: string): string {
  const letters = [...String(value ?? "a b")]
  const length = upTo(source, 4)
  const start =
    operator === "startsWith"
      ? 0
      : operator === "endsWith"
        ? letters.length - length
        : upTo(source, letters.length)
  const text = letters.slice(Math.max(0, start), Math.max(0, start) + length).join("")
  return operator === "search" && chance(source, 50) ? text.toUpperCase() : text
}
