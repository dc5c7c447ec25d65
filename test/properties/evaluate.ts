// The naive evaluator: answers a Question over plain arrays, written from docs/guide/reading.md and sharing no code with the
// engine. It is slow and obvious on purpose.
import type { Model, Resource } from "../../src/model/model.ts"
import {
  type ListAnswer,
  type ListQuestion,
  type MeasureQuestion,
  measureName,
  type RecordAnswer,
  type Selection,
} from "./question.ts"

export type Row = Readonly<Record<string, unknown>>

/** The records of a service in their wire form, references included, and the pairs of its many-to-many relations. */
export interface World {
  readonly model: Model
  readonly rows: ReadonlyMap<string, readonly Row[]>
  /** For `resource.relation` of a to-many: which rows belong to the row at hand. */
  readonly related: (resource: string, relation: string, row: Row) => readonly Row[]
}

export function evaluateList(
  world: World,
  resource: Resource,
  rows: readonly Row[],
  question: ListQuestion,
): ListAnswer {
  const matches = (row: Row): boolean => holds(world, resource, row, question.where ?? {})
  const matching = rows.filter(matches)
  const ordered = [...rows].sort((a, b) => compareRows(world, resource, question, a, b))
  const { page } = question
  const from = page.after === undefined ? 0 : page.after + 1
  const to = Math.max(from, page.before ?? ordered.length)
  const between = ordered.slice(from, to).filter(matches)
  const shown = page.backward
    ? between.slice(Math.max(0, between.length - page.size))
    : between.slice(0, page.size)
  const more = between.length > shown.length
  const answer: ListAnswer = {
    rows: shown.map((row) => project(world, resource, row, question.select)),
    next: shown.length > 0 && (page.backward ? page.before !== undefined : more || page.before !== undefined),
    previous:
      shown.length > 0 && (page.backward ? more || page.after !== undefined : page.after !== undefined),
    ...(question.total ? { total: matching.length } : {}),
    ...(question.measures ? { measures: measureAll(resource, matching, question.measures) } : {}),
    ...(question.groups ? { groups: groupAll(resource, matching, question.groups) } : {}),
  }
  return answer
}

function project(world: World, resource: Resource, row: Row, select: Selection): RecordAnswer {
  const record: Record<string, unknown> = { id: row["id"] }
  for (const name of select.scalars) record[name] = row[name] ?? null
  for (const { relation, select: inner } of select.ones) {
    const target = targetOf(world, resource, relation)
    const related = relatedOne(world, resource, relation, row)
    record[relation] = related ? project(world, target, related, inner) : null
  }
  for (const { relation, list } of select.manys) {
    const target = targetOf(world, resource, relation)
    record[relation] = evaluateList(world, target, world.related(resource.name, relation, row), list)
  }
  return record
}

function targetOf(world: World, resource: Resource, relation: string): Resource {
  const target = world.model.resources.get(resource.relations.get(relation)?.target ?? "")
  if (!target) throw new Error(`no relation ${resource.name}.${relation}`)
  return target
}

function relatedOne(world: World, resource: Resource, relation: string, row: Row): Row | undefined {
  return world.related(resource.name, relation, row)[0]
}

// Conditions: they hold or they do not.

function holds(world: World, resource: Resource, row: Row, condition: unknown): boolean {
  return Object.entries(condition as Record<string, unknown>).every(([name, inner]) => {
    if (name === "and") return (inner as unknown[]).every((part) => holds(world, resource, row, part))
    if (name === "or") return (inner as unknown[]).some((part) => holds(world, resource, row, part))
    if (name === "not") return !holds(world, resource, row, inner)
    const relation = resource.relations.get(name)
    if (relation?.kind === "one") {
      const related = relatedOne(world, resource, name, row)
      return related !== undefined && holds(world, targetOf(world, resource, name), related, inner)
    }
    if (relation?.kind === "many")
      return holdsForMany(world, resource, name, row, inner as Record<string, unknown>)
    return Object.entries(inner as Record<string, unknown>).every(([operator, operand]) =>
      compareWith(resource, name, row[name] ?? null, operator, operand),
    )
  })
}

function holdsForMany(
  world: World,
  resource: Resource,
  relation: string,
  row: Row,
  inner: Record<string, unknown>,
): boolean {
  const target = targetOf(world, resource, relation)
  const related = world.related(resource.name, relation, row)
  return Object.entries(inner).every(([quantifier, condition]) => {
    const count = related.filter((other) => holds(world, target, other, condition)).length
    return quantifier === "some" ? count > 0 : quantifier === "none" ? count === 0 : count === related.length
  })
}

function compareWith(
  resource: Resource,
  name: string,
  value: unknown,
  operator: string,
  operand: unknown,
): boolean {
  const compare = (other: unknown): number => compareValues(resource, name, value, other)
  if (operator === "isNull") return (value === null) === operand
  if (operator === "ne") return !compareWith(resource, name, value, "eq", operand)
  if (operator === "notIn") return !compareWith(resource, name, value, "in", operand)
  if (value === null) return false
  const items = value as readonly unknown[]
  const text = value as string
  const equalsSome = (list: readonly unknown[], one: unknown) =>
    list.some((item) => compareValues(resource, name, item, one) === 0)
  switch (operator) {
    case "eq":
      return compare(operand) === 0
    case "in":
      return equalsSome(operand as unknown[], value)
    case "lt":
      return compare(operand) < 0
    case "lte":
      return compare(operand) <= 0
    case "gt":
      return compare(operand) > 0
    case "gte":
      return compare(operand) >= 0
    case "contains":
      return text.includes(operand as string)
    case "startsWith":
      return text.startsWith(operand as string)
    case "endsWith":
      return text.endsWith(operand as string)
    case "search":
      return words(operand as string).every((word) => fold(text).includes(fold(word)))
    case "has":
      return equalsSome(items, operand)
    case "hasAny":
      return (operand as unknown[]).some((one) => equalsSome(items, one))
    case "hasAll":
      return (operand as unknown[]).every((one) => equalsSome(items, one))
    default:
      throw new Error(`no operator ${operator}`)
  }
}

const words = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== "")
const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

// Order: by value, text by code point, the key last.

function compareRows(world: World, resource: Resource, question: ListQuestion, a: Row, b: Row): number {
  for (const term of question.order) {
    const [left, right] = [follow(world, resource, a, term.path), follow(world, resource, b, term.path)]
    if (left.value === null && right.value === null) continue
    const nullFirst = term.nulls === "first" ? -1 : 1
    if (left.value === null) return nullFirst
    if (right.value === null) return -nullFirst
    const order = compareValues(left.resource, left.name, left.value, right.value)
    if (order !== 0) return term.descending ? -order : order
  }
  return compareValues(resource, "id", a["id"], b["id"])
}

function follow(world: World, resource: Resource, row: Row, path: readonly string[]) {
  let [at, here, value]: [Resource, Row | undefined, unknown] = [resource, row, null]
  const name = path[path.length - 1] ?? ""
  for (const step of path.slice(0, -1)) {
    here = here ? relatedOne(world, at, step, here) : undefined
    at = targetOf(world, at, step)
  }
  value = here?.[name] ?? null
  return { resource: at, name, value }
}

function compareValues(resource: Resource, name: string, a: unknown, b: unknown): number {
  const field = resource.fields.get(name)
  switch (field?.scalar) {
    case undefined:
      return compareKeys(a as string, b as string)
    case "int64":
      return sign(BigInt(a as string) - BigInt(b as string))
    case "decimal":
      return sign(scaled(a as string) - scaled(b as string))
    case "timestamp":
      return moment(a as string) - moment(b as string)
    case "integer":
    case "float":
    case "boolean":
      return Number(a) - Number(b)
    default:
      return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string))
  }
}

/** Global ids `prefix_part~part`: whole numbers by value, anything else by code point. */
function compareKeys(a: string, b: string): number {
  const [left, right] = [a, b].map((id) => id.slice(id.indexOf("_") + 1).split("~")) as [string[], string[]]
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? ""
    const numbers = /^-?\d+$/.test(part) && /^-?\d+$/.test(other)
    const order = numbers
      ? sign(BigInt(part) - BigInt(other))
      : Buffer.compare(Buffer.from(part), Buffer.from(other))
    if (order !== 0) return order
  }
  return 0
}

const sign = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0)

/** Twenty digits after the point are enough for every decimal in the tests. */
function scaled(text: string): bigint {
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".")
  const size = BigInt(whole + fraction.padEnd(20, "0"))
  return text.startsWith("-") ? -size : size
}

/** Microseconds since 1970, exact: below 2^53 for the years in the tests. */
function moment(text: string): number {
  const [, seconds = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? []
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, "0"))
}

// Aggregates.

function measureAll(
  resource: Resource,
  rows: readonly Row[],
  measures: readonly MeasureQuestion[],
): Record<string, unknown> {
  return Object.fromEntries(
    measures.map((measure) => [measureName(measure), measureOne(resource, rows, measure)]),
  )
}

function measureOne(resource: Resource, rows: readonly Row[], measure: MeasureQuestion): unknown {
  if (measure.kind === "count") return rows.length
  const field = resource.fields.get(measure.field)
  if (!field) throw new Error(`no field ${measure.field}`)
  const values = rows.map((row) => row[measure.field] ?? null).filter((value) => value !== null)
  if (values.length === 0) return null
  const least = (direction: number) =>
    values.reduce((best, value) =>
      compareValues(resource, field.name, value, best) * direction < 0 ? value : best,
    )
  if (measure.kind === "min") return least(1)
  if (measure.kind === "max") return least(-1)
  const sum = sumOf(field.scalar, field.constraints.scale ?? 0, values)
  return measure.kind === "sum" ? sum : Number(sum) / values.length
}

function sumOf(scalar: string, scale: number, values: readonly unknown[]): string | number {
  if (scalar === "float") return values.reduce<number>((sum, value) => sum + Number(value), 0)
  if (scalar !== "decimal")
    return String(values.reduce<bigint>((sum, value) => sum + BigInt(String(value)), 0n))
  const sum =
    values.reduce<bigint>((total, value) => total + scaled(String(value)), 0n) / 10n ** BigInt(20 - scale)
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, "0")
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return sum < 0n ? `-${text}` : text
}

function groupAll(resource: Resource, rows: readonly Row[], groups: NonNullable<ListQuestion["groups"]>) {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const key = JSON.stringify(groups.by.map((name) => row[name] ?? null))
    found.set(key, [...(found.get(key) ?? []), row])
  }
  const byKey = (a: readonly Row[], b: readonly Row[]): number => {
    for (const name of groups.by) {
      const [left, right] = [a[0]?.[name] ?? null, b[0]?.[name] ?? null]
      if (left === null && right === null) continue
      if (left === null || right === null) return left === null ? 1 : -1
      const order = compareValues(resource, name, left, right)
      if (order !== 0) return order
    }
    return 0
  }
  return [...found.values()]
    .sort(byKey)
    .slice(0, groups.limit)
    .map((members) => ({
      key: Object.fromEntries(groups.by.map((name) => [name, members[0]?.[name] ?? null])),
      measures: measureAll(resource, members, groups.measures),
    }))
}
