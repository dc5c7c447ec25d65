// A Question in REST, and REST's answer in the common form.
import type { Resource } from "../../src/model/model.ts"
import {
  type ConditionJson,
  type ListAnswer,
  type ListQuestion,
  measureName,
  type OrderQuestion,
  type RecordAnswer,
  type Selection,
} from "./question.ts"
import { type Bounds, readMeasures } from "./spell-graphql.ts"

/** Path and query, percent-encoded. */
export function spellRest(resource: Resource, list: ListQuestion, bounds: Bounds): string {
  const parameters: [string, string][] = []
  const include: string[] = []
  spellList(list, bounds, (name, value) => parameters.push([name, value]), { path: "", include, parameters })
  if (include.length > 0) parameters.push(["include", include.join(",")])
  return `/${resource.path}?${new URLSearchParams(parameters)}`
}

interface Pen {
  readonly path: string
  readonly include: string[]
  readonly parameters: [string, string][]
}

type Write = (name: string, value: string) => void

function spellList(list: ListQuestion, bounds: Bounds, write: Write, pen: Pen): void {
  const { page } = list
  write("limit", String(page.size))
  if (page.backward) write("from", "end")
  else if (bounds.before !== undefined) write("from", "start")
  if (bounds.after !== undefined) write("after", bounds.after)
  if (bounds.before !== undefined) write("before", bounds.before)
  if (list.where) spellCondition(list.where, write)
  if (list.order.length > 0) write("sort", list.order.map(spellOrder).join(","))
  if (list.total) write("total", "true")
  const measures = list.measures ?? list.groups?.measures
  if (measures) write("aggregate", measures.map(measureName).join(","))
  if (list.groups) write("groupBy", list.groups.by.join(","))
  if (list.groups) write("groups", String(list.groups.limit))
  spellSelection(list.select, write, pen)
}

function spellSelection(select: Selection, write: Write, pen: Pen): void {
  write("fields", ["id", ...select.scalars].join(","))
  const enter = (relation: string): [Write, Pen] => {
    const path = pen.path === "" ? relation : `${pen.path}.${relation}`
    pen.include.push(path)
    return [
      (name, value) => pen.parameters.push([bracket(`include[${path}]`, name), value]),
      { ...pen, path },
    ]
  }
  for (const { relation, select: inner } of select.ones) spellSelection(inner, ...enter(relation))
  for (const { relation, list } of select.manys) {
    const [write, inner] = enter(relation)
    spellList(list, {}, write, inner)
  }
}

/** `filter[a]` inside `include[x]` is `include[x][filter][a]`. */
function bracket(outer: string, name: string): string {
  const [head = "", ...rest] = name.split("[")
  return [`${outer}[${head}]`, ...rest].join("[")
}

function spellOrder(term: OrderQuestion): string {
  return `${term.descending ? "-" : ""}${term.path.join(".")}${term.nulls ? `:nulls-${term.nulls}` : ""}`
}

const connectives = ["and", "or", "not"]

/** In brackets where they can say it, else as JSON. */
function spellCondition(where: ConditionJson, write: Write): void {
  const flat = flatten(where)
  if (flat && flat.length > 0)
    for (const [path, operator, value] of flat) write(`filter[${path}][${operator}]`, value)
  else write("filter", JSON.stringify(where))
}

function flatten(
  condition: ConditionJson,
  path: readonly string[] = [],
): [string, string, string][] | undefined {
  const found: [string, string, string][] = []
  for (const [name, inner] of Object.entries(condition)) {
    if (connectives.includes(name) || typeof inner !== "object" || inner === null) return undefined
    const entries = Object.entries(inner)
    if (entries.length === 0 || entries.some(([inside]) => connectives.includes(inside))) return undefined
    if (entries.some(([, value]) => typeof value === "object" && value !== null && !Array.isArray(value))) {
      const deeper = flatten(inner as ConditionJson, [...path, name])
      if (!deeper) return undefined
      found.push(...deeper)
      continue
    }
    for (const [operator, operand] of entries) {
      if (Array.isArray(operand) && (operand.length === 0 || operand.some((item) => item === "")))
        return undefined
      found.push([
        [...path, name].join("."),
        operator,
        Array.isArray(operand) ? operand.map(escaped).join(",") : String(operand),
      ])
    }
  }
  return found
}

const escaped = (item: unknown): string => String(item).replaceAll("\\", "\\\\").replaceAll(",", "\\,")

interface Envelope {
  readonly data: readonly Record<string, unknown>[]
  readonly page: { readonly next: string | null; readonly prev: string | null; readonly total?: number }
  readonly aggregate?: Record<string, unknown>
  readonly groups?: readonly ({ key: Record<string, unknown> } & Record<string, unknown>)[]
}

export function readRest(list: ListQuestion, body: unknown): ListAnswer {
  const envelope = body as Envelope
  return {
    rows: envelope.data.map((record) => readRecord(list.select, record)),
    next: envelope.page.next !== null,
    previous: envelope.page.prev !== null,
    ...(list.total ? { total: Number(envelope.page.total) } : {}),
    ...(list.measures ? { measures: readMeasures(list.measures, envelope.aggregate ?? {}) } : {}),
    ...(list.groups
      ? {
          groups: (envelope.groups ?? []).map((group) => ({
            key: group.key,
            measures: readMeasures(list.groups?.measures ?? [], group),
          })),
        }
      : {}),
  }
}

function readRecord(select: Selection, given: Record<string, unknown>): RecordAnswer {
  const record: Record<string, unknown> = { ...given }
  for (const { relation, select: inner } of select.ones)
    record[relation] =
      given[relation] === null ? null : readRecord(inner, given[relation] as Record<string, unknown>)
  for (const { relation, list } of select.manys) record[relation] = readRest(list, given[relation])
  return record
}
