// How the rows of a list can be reached, as the Model's keys and indexes tell: how many there are at most, and whether
// the page's end is also the end of the work. Estimates for cost.ts; what a database really does is its own decision.
import type { Subject } from "../model/condition.ts"
import type { Model, Relation, Resource, StoredForm, TableName } from "../model/model.ts"
import type { ScalarName } from "../model/scalars.ts"
import { fieldNamed, relationNamed, resourceNamed } from "./names.ts"
import type { Filter, List, Slot } from "./types.ts"

/** What a database says of a table. */
export interface TableStatistics {
  /** As it last counted or estimated them. */
  readonly rows?: number
  readonly indexes: readonly Index[]
}

interface Index {
  readonly columns: readonly string[]
  readonly unique: boolean
}

/** By `tableKey`; of tables that are not in it nothing is known. */
export type Statistics = ReadonlyMap<string, TableStatistics>

const tableKey = ({ schema, name }: TableName): string => (schema === undefined ? name : `${schema}.${name}`)

export interface Facts {
  readonly model: Model
  readonly statistics: Statistics
  /** A page's size, or how many values an operand has: all that an estimate takes from a plan's values. */
  sizeAt(slot: Slot): number
}

/** A list's rows: all of a resource, or those related to one record. */
export interface Subjected {
  readonly resource: Resource
  readonly list: List
  readonly owner?: { readonly resource: Resource; readonly relation: Relation }
}

/** Related records of one record, where nobody has counted. */
const assumedRelated = 100
/** How much more than the average one record may have. */
const skew = 4
/** What an equality leaves of a table by an index that is not unique. */
const share = 0.1

const counted = ({ statistics }: Facts, table: TableName): number | undefined =>
  statistics.get(tableKey(table))?.rows

const sizeOf = (facts: Facts, resource: Resource): number =>
  counted(facts, resource.table) ?? Number.POSITIVE_INFINITY

/** How many records of the target one record is related to: some times the average. */
export function relatedRows(facts: Facts, resource: Resource, relation: Relation): number {
  const target = resourceNamed(facts.model, relation.target)
  if (relation.kind === "one") return 1
  const { through } = relation
  if (through === undefined) {
    const columns = relation.join.map(({ to }) => to)
    if (!indexesOf(facts, target).some((index) => columns.includes(index.columns[0] ?? "")))
      return sizeOf(facts, target)
  }
  return averageRows(counted(facts, (through ?? target).table), counted(facts, resource.table))
}

function averageRows(all: number | undefined, among: number | undefined): number {
  if (all === undefined || among === undefined) return assumedRelated
  return Math.min(all, Math.ceil(all / Math.max(1, among)) * skew)
}

export interface Reach {
  /** Rows that have to be looked at when all that meet the condition are wanted. */
  readonly rows: number
  /** Whether the rows come in the list's order, so that the end of the page ends the work. */
  readonly ordered: boolean
}

export function reachOf(facts: Facts, subjected: Subjected): Reach {
  const { resource, list, owner } = subjected
  const conjuncts = list.where ? conjunctsOf(list.where) : []
  const fixed = new Set<string>()
  const open: Filter[] = []
  let rows = owner ? relatedRows(facts, owner.resource, owner.relation) : sizeOf(facts, resource)
  if (owner?.relation.kind === "many") for (const { to } of owner.relation.join) fixed.add(to)
  for (const conjunct of conjuncts) {
    const columns = equalColumns(resource, conjunct)
    if (columns) for (const column of columns) fixed.add(column)
    else open.push(conjunct)
    rows = Math.min(rows, listedRows(facts, resource, conjunct))
  }
  const linked = owner?.relation.kind === "many" && owner.relation.through !== undefined
  return {
    rows: Math.min(rows, fixedRows(facts, resource, fixed)),
    ordered: !linked && isOrdered(facts, { resource, list }, { fixed, open }),
  }
}

/**
 * The same as the Model alone tells it, with its keys and indexes and one on each foreign key: what the form of a
 * statement may depend on.
 */
export const comesInOrder = (model: Model, subjected: Subjected): boolean =>
  reachOf({ model, statistics: new Map(), sizeAt: () => 1 }, subjected).ordered

const conjunctsOf = (filter: Filter): readonly Filter[] =>
  filter.kind === "and" ? filter.of.flatMap(conjunctsOf) : [filter]

/** The columns that the condition gives one value each, where an index on them serves. */
function equalColumns(resource: Resource, filter: Filter): readonly string[] | undefined {
  if (filter.kind !== "compare" || filter.operator !== "eq") return undefined
  return servedColumns(resource, filter.subject)
}

/** By an index that begins with the columns that have one value. */
function fixedRows(facts: Facts, resource: Resource, fixed: ReadonlySet<string>): number {
  const found = indexesOf(facts, resource).map(({ columns, unique }) => {
    const prefix = columns.findIndex((column) => !fixed.has(column))
    if (prefix === 0) return Number.POSITIVE_INFINITY
    if (prefix < 0 && unique) return 1
    return narrowed(facts, resource, new Set(prefix < 0 ? columns : columns.slice(0, prefix)))
  })
  return Math.min(Number.POSITIVE_INFINITY, ...found)
}

/** By an index on what has to be one of several values. */
function listedRows(facts: Facts, resource: Resource, filter: Filter): number {
  if (filter.kind !== "compare" || filter.operator !== "in") return Number.POSITIVE_INFINITY
  const columns = servedColumns(resource, filter.subject)
  if (!columns) return Number.POSITIVE_INFINITY
  return times(facts.sizeAt(filter.operand), fixedRows(facts, resource, new Set(columns)))
}

/** A reference leaves what the record it names has, any other value a share. */
function narrowed(facts: Facts, resource: Resource, columns: ReadonlySet<string>): number {
  const size = sizeOf(facts, resource)
  const named = [...resource.relations.values()].filter(
    (relation) => relation.kind === "one" && relation.join.every(({ from }) => columns.has(from)),
  )
  const found = named.map(({ target }) =>
    averageRows(counted(facts, resource.table), counted(facts, resourceNamed(facts.model, target).table)),
  )
  return Math.min(Math.ceil(size * share), ...found)
}

interface Bounds {
  readonly fixed: ReadonlySet<string>
  /** Conjuncts that no fixed column answers. */
  readonly open: readonly Filter[]
}

/** An index holds the fixed columns and then those of the order; ties may still be sorted by the key. */
function isOrdered(facts: Facts, { resource, list }: Subjected, { fixed, open }: Bounds): boolean {
  const { order } = list
  const last = order.at(-1)
  const lead = order.slice(0, -1)
  if (!last || order.some(({ path }) => path.length > 0)) return false
  const terms = lead.length === 0 ? [last] : lead
  const columns = terms.map(({ subject }) =>
    subject.kind === "row" ? undefined : servedColumns(resource, subject),
  )
  const inRange = open.every((filter) => isRange(filter, columns[0], resource))
  if (!inRange || terms.some(({ descending }) => descending !== terms[0]?.descending)) return false
  if (last.subject.kind === "row" && lead.length === 0) return fixed.size === 0 && open.length === 0
  if (columns.some((names) => names === undefined)) return false
  const wanted = columns.flatMap((names) => names ?? []).filter((column) => !fixed.has(column))
  return indexesOf(facts, resource).some(
    (index) =>
      startsWith(index.columns, fixed) &&
      wanted.every((column, place) => index.columns[fixed.size + place] === column),
  )
}

/** A range of the order's first column only moves where reading starts and ends. */
function isRange(filter: Filter, columns: readonly string[] | undefined, resource: Resource): boolean {
  if (filter.kind !== "compare" || !["lt", "lte", "gt", "gte"].includes(filter.operator)) return false
  const [column] = servedColumns(resource, filter.subject) ?? []
  return column !== undefined && column === columns?.[0]
}

/** As the database has them; without its word those that the Model has, and one on each foreign key. */
function indexesOf({ statistics }: Facts, resource: Resource): readonly Index[] {
  const found = statistics.get(tableKey(resource.table))
  if (found) return found.indexes
  const columns = (subject: Subject): readonly string[] => columnsOf(resource, subject)
  return [
    ...(resource.key ? [{ columns: columns({ kind: "id" }), unique: true }] : []),
    ...resource.uniques.map(({ members }) => ({ columns: members.flatMap(columns), unique: true })),
    ...resource.indexes.map((index) => ({ columns: index.columns, unique: false })),
    ...[...resource.relations.values()].flatMap((relation) =>
      relation.kind === "one" ? [{ columns: relation.join.map(({ from }) => from), unique: false }] : [],
    ),
  ]
}

/** The first columns of an index are exactly these, in whatever order. */
const startsWith = (columns: readonly string[], set: ReadonlySet<string>): boolean =>
  columns.length >= set.size && columns.slice(0, set.size).every((column) => set.has(column))

const converted: ReadonlySet<ScalarName> = new Set([
  "boolean",
  "decimal",
  "date",
  "time",
  "timestamp",
  "uuid",
])

/** Other people's columns are compared in a converted form, which their indexes do not have. */
const isServed = ({ scalar, stored }: { scalar: ScalarName; stored: StoredForm }): boolean =>
  stored === "plain" || stored === "local" || (stored === "loose" && !converted.has(scalar))

function servedColumns(resource: Resource, subject: Subject): readonly string[] | undefined {
  const types = subject.kind === "field" ? [fieldNamed(resource, subject.field)] : (resource.key?.parts ?? [])
  const served = subject.kind === "reference" || types.every(isServed)
  return served ? columnsOf(resource, subject) : undefined
}

function columnsOf(resource: Resource, subject: Subject): readonly string[] {
  switch (subject.kind) {
    case "id":
      return resource.key?.parts.map(({ column }) => column) ?? []
    case "field":
      return [fieldNamed(resource, subject.field).column]
    case "reference": {
      const relation = relationNamed(resource, subject.relation)
      return relation.kind === "one" ? relation.join.map(({ from }) => from) : []
    }
  }
}

/** Nothing of ever so much is nothing. */
export const times = (count: number, each: number): number => (count === 0 || each === 0 ? 0 : count * each)
