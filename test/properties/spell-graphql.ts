// A Question in GraphQL, and GraphQL's answer in the common form.
import type { Model, Resource } from "../../src/model/model.ts"
import {
  type ListAnswer,
  type ListQuestion,
  type MeasureQuestion,
  measureName,
  type OrderQuestion,
  type RecordAnswer,
  type Selection,
} from "./question.ts"

export interface GraphqlRequest {
  readonly query: string
  readonly variables: Record<string, unknown>
}

export interface Bounds {
  readonly after?: string
  readonly before?: string
}

/** Conditions go into variables; everything else is literal. */
export function spellGraphql(
  model: Model,
  resource: Resource,
  list: ListQuestion,
  bounds: Bounds,
): GraphqlRequest {
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const variable = (type: string, value: unknown): string => {
    const name = `v${declared.length}`
    declared.push(`$${name}: ${type}`)
    variables[name] = value
    return `$${name}`
  }
  const body = spellList({ model, variable }, resource, list, bounds)
  const head = declared.length > 0 ? `query (${declared.join(", ")})` : "query"
  return { query: `${head} { list: ${resource.collection}${body} }`, variables }
}

interface Pen {
  readonly model: Model
  readonly variable: (type: string, value: unknown) => string
}

function spellList(pen: Pen, resource: Resource, list: ListQuestion, bounds: Bounds): string {
  const args = [
    `${list.page.backward ? "last" : "first"}: ${list.page.size}`,
    ...(bounds.after === undefined ? [] : [`after: ${JSON.stringify(bounds.after)}`]),
    ...(bounds.before === undefined ? [] : [`before: ${JSON.stringify(bounds.before)}`]),
    ...(list.where ? [`where: ${pen.variable(`${resource.type}Where`, list.where)}`] : []),
    ...(list.order.length > 0 ? [`orderBy: [${list.order.map(spellOrder).join(", ")}]`] : []),
  ]
  const members = [
    `nodes ${spellSelection(pen, resource, list.select)}`,
    "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }",
    ...(list.total ? ["totalCount"] : []),
    ...(list.measures ? [`aggregate { ${spellMeasures(list.measures)} }`] : []),
    ...(list.groups
      ? [
          `groups(by: [${list.groups.by.join(", ")}], first: ${list.groups.limit}) { key { ${list.groups.by.join(" ")} } ${spellMeasures(list.groups.measures)} }`,
        ]
      : []),
  ]
  return `(${args.join(", ")}) { ${members.join(" ")} }`
}

function spellOrder(term: OrderQuestion): string {
  const nulls = term.nulls ? `, nulls: ${term.nulls.toUpperCase()}` : ""
  const inner = `{ field: ${term.path.at(-1)}, direction: ${term.descending ? "DESC" : "ASC"}${nulls} }`
  return term.path.slice(0, -1).reduceRight((text, relation) => `{ ${relation}: ${text} }`, inner)
}

function spellSelection(pen: Pen, resource: Resource, select: Selection): string {
  const target = (relation: string): Resource => {
    const found = pen.model.resources.get(resource.relations.get(relation)?.target ?? "")
    if (!found) throw new Error(`no relation ${relation}`)
    return found
  }
  const members = [
    "id",
    ...select.scalars,
    ...select.ones.map(
      ({ relation, select: inner }) => `${relation} ${spellSelection(pen, target(relation), inner)}`,
    ),
    ...select.manys.map(({ relation, list }) => `${relation}${spellList(pen, target(relation), list, {})}`),
  ]
  return `{ ${members.join(" ")} }`
}

function spellMeasures(measures: readonly MeasureQuestion[]): string {
  return measures
    .map((measure) => (measure.kind === "count" ? "count" : `${measure.kind} { ${measure.field} }`))
    .join(" ")
}

interface Connection {
  readonly nodes: readonly Record<string, unknown>[]
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
  readonly totalCount?: number
  readonly aggregate?: Record<string, unknown>
  readonly groups?: readonly ({ key: Record<string, unknown> } & Record<string, unknown>)[]
}

export function readGraphql(list: ListQuestion, data: unknown): ListAnswer {
  const connection = data as Connection
  return {
    rows: connection.nodes.map((node) => readRecord(list.select, node)),
    next: connection.pageInfo.hasNextPage && connection.pageInfo.endCursor !== null,
    previous: connection.pageInfo.hasPreviousPage && connection.pageInfo.startCursor !== null,
    ...(list.total ? { total: Number(connection.totalCount) } : {}),
    ...(list.measures ? { measures: readMeasures(list.measures, connection.aggregate ?? {}) } : {}),
    ...(list.groups
      ? {
          groups: (connection.groups ?? []).map((group) => ({
            key: group.key,
            measures: readMeasures(list.groups?.measures ?? [], group),
          })),
        }
      : {}),
  }
}

function readRecord(select: Selection, node: Record<string, unknown>): RecordAnswer {
  const record: Record<string, unknown> = { ...node }
  for (const { relation, select: inner } of select.ones)
    record[relation] =
      node[relation] === null ? null : readRecord(inner, node[relation] as Record<string, unknown>)
  for (const { relation, list } of select.manys) record[relation] = readGraphql(list, node[relation])
  return record
}

/** Measures as both faces nest them: `{count, sum: {total}}`. */
export function readMeasures(
  measures: readonly MeasureQuestion[],
  found: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    measures.map((measure) => [
      measureName(measure),
      measure.kind === "count"
        ? found["count"]
        : (found[measure.kind] as Record<string, unknown> | undefined)?.[measure.field],
    ]),
  )
}
