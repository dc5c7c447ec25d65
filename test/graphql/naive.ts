// The bookshop answered by graphql-js itself, with a resolver that looks everything up in memory: an oracle for what a
// document means. It knows pages by `first` and `last` only.
import {
  type ExecutionResult,
  executeSync,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  parse,
} from "graphql"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import type { Relation, Resource } from "../../src/model/model.ts"
import type { Records, Row } from "../../src/sql/write/insert.ts"
import { model } from "./bookshop.ts"

export const schema: GraphQLSchema = buildSchema(model)

interface Source {
  readonly kind: "record" | "list" | "edge" | "page" | "aggregate"
  readonly resource: Resource
  /** The rows at hand: one for records and edges, a page's rows otherwise. */
  readonly rows: readonly Row[]
  readonly all: readonly Row[]
  readonly backward: boolean
}

interface Paging {
  readonly first?: number | null
  readonly last?: number | null
  readonly id?: string
  readonly ids?: readonly string[]
}

export function answerNaively(
  records: Records,
  document: string,
  variableValues: Readonly<Record<string, unknown>>,
): ExecutionResult {
  const result = executeSync({
    schema,
    document: parse(document),
    variableValues,
    contextValue: records,
    fieldResolver: resolve as GraphQLFieldResolver<unknown, unknown>,
    typeResolver: (source) => (source as Source).resource.type,
  })
  return JSON.parse(JSON.stringify(result))
}

const resolve: GraphQLFieldResolver<Source | undefined, Records, Paging> = (source, args, records, info) => {
  if (!source) return resolveRoot(records, info.fieldName, args)
  switch (source.kind) {
    case "record":
      return resolveMember(records, source, info.fieldName, args)
    case "list":
      return resolveList(source, info.fieldName)
    case "edge":
      return info.fieldName === "node" ? { ...source, kind: "record" } : "a cursor"
    case "page":
      return info.fieldName === "hasNextPage"
        ? !source.backward && source.rows.length < source.all.length
        : source.backward && source.rows.length < source.all.length
    case "aggregate":
      return source.all.length
  }
}

function resolveRoot(records: Records, name: string, args: Paging): unknown {
  if (name === "node") return findNode(records, args.id ?? "")
  if (name === "nodes") return args.ids?.map((id) => findNode(records, id))
  for (const resource of model.resources.values()) {
    const rows = rowsOf(records, resource)
    if (name === resource.collection) return list(resource, rows, args)
    if (name === resource.name)
      return record(
        resource,
        rows.find((row) => keyOf(row) === bare(resource, args.id ?? "")),
      )
  }
  throw new Error(`no root ${name}`)
}

function findNode(records: Records, id: string): Source | null {
  const resource = [...model.resources.values()].find(({ prefix, key }) => key && id.startsWith(`${prefix}_`))
  return resource
    ? record(
        resource,
        rowsOf(records, resource).find((row) => keyOf(row) === bare(resource, id)),
      )
    : null
}

function resolveMember(records: Records, { resource, rows }: Source, name: string, args: Paging): unknown {
  const row = rows[0] ?? {}
  if (name === "id") return `${resource.prefix}_${keyOf(row)}`
  // Nothing was written since the records were made.
  if (name === "etag") return "1"
  const field = resource.fields.get(name)
  if (field) return wire(row[name] ?? null, field.scalar)
  for (const relation of resource.relations.values()) {
    const target = model.resources.get(relation.target)
    if (!target) continue
    const related = () => relatedRows(records, resource, row, relation)
    if (relation.kind === "one" && relation.reference === name)
      return row[name] == null ? null : `${target.prefix}_${row[name]}`
    if (relation.name === name)
      return relation.kind === "one" ? record(target, related()[0]) : list(target, related(), args)
  }
  throw new Error(`no member ${name}`)
}

function relatedRows(records: Records, resource: Resource, row: Row, relation: Relation): readonly Row[] {
  const target = model.resources.get(relation.target)
  const rows = target ? rowsOf(records, target) : []
  if (relation.kind === "one") return rows.filter((other) => keyOf(other) === row[relation.reference ?? ""])
  if (!relation.through) return rows.filter((other) => other["authorId"] === keyOf(row))
  const pairs = records.links[0]?.pairs ?? []
  const [near, far] = resource.name === "book" ? ([0, 1] as const) : ([1, 0] as const)
  const keys = pairs.filter((pair) => pair[near] === keyOf(row)).map((pair) => pair[far])
  return rows.filter((other) => keys.includes(keyOf(other)))
}

function resolveList(source: Source, name: string): unknown {
  const { resource, rows, all } = source
  if (name === "totalCount") return all.length
  if (name === "pageInfo") return { ...source, kind: "page" }
  if (name === "aggregate") return { ...source, kind: "aggregate" }
  const kind = name === "edges" ? "edge" : "record"
  return rows.map((row) => ({ ...source, kind, resource, rows: [row] }))
}

function list(resource: Resource, all: readonly Row[], { first, last }: Paging): Source {
  const rows = last == null ? all.slice(0, first ?? 20) : all.slice(Math.max(0, all.length - last))
  return { kind: "list", resource, rows, all, backward: last != null }
}

function record(resource: Resource, row: Row | undefined): Source | null {
  return row ? { kind: "record", resource, rows: [row], all: [row], backward: false } : null
}

/** In the order of the key; rows without one as they were inserted. */
function rowsOf(records: Records, resource: Resource): readonly Row[] {
  const rows = records.records.get(resource.name) ?? []
  return resource.key ? rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) : rows
}

const keyOf = (row: Row): string => String(row["id"] ?? row["slug"])

const bare = (resource: Resource, id: string): string =>
  id.startsWith(`${resource.prefix}_`) ? id.slice(resource.prefix.length + 1) : id

function wire(value: Row[string], scalar: string): unknown {
  if (typeof value === "bigint") return String(value)
  return scalar === "json" && typeof value === "string" ? JSON.parse(value) : value
}
