// How keys and indexes of the Model lead to the rows of a list: their number at most, and whether work ends with the page.
// These are estimates for cost.ts; a database decides on its own.

import type { FirstRelated, Subject } from "../../model/condition.ts"
import type { Model, Relation, Resource, TableName } from "../../model/model.ts"
import { isForAll } from "../every-record.ts"
import { selectedIn } from "../fold.ts"
import { newestOf, relationNamed, resourceNamed, wholeOf } from "../lookup.ts"
import type { Filter, List, Root, Slot } from "../read-plan.ts"
import { columnsOf, conjunctsOf, fixedColumns, semiJoined, servedColumns } from "../selectivity.ts"

/** A database's statistics of a table. */
export interface TableStatistics {
  /** As it last counted or estimated them. */
  readonly rows?: number
  readonly indexes: readonly Index[]
  /** By column; other columns have unknown frequencies. */
  readonly frequencies?: ReadonlyMap<string, Frequencies>
}

/**
 * Which values of a column are about as frequent as its values are on average: those that are named, or all but those.
 * As text, in which a value reads as it does in a plan.
 */
export interface Frequencies {
  readonly usual: "named" | "others"
  readonly named: ReadonlySet<string>
}

interface Index {
  readonly columns: readonly string[]
  readonly unique: boolean
}

/** By `tableKey`; other tables have unknown statistics. */
export type Statistics = ReadonlyMap<string, TableStatistics>

export const tableKey = ({ schema, name }: TableName): string =>
  schema === undefined ? name : `${schema}.${name}`

export interface Facts {
  readonly model: Model
  readonly statistics: Statistics
  /** Non-unique indexes end with the key, as Bifold makes them; for decisions without statistics. */
  readonly keyed?: boolean
  /** A page's size, or how many values an operand has: all that an estimate takes from a plan's values. */
  sizeAt(slot: Slot): number
}

/** A list's rows: all of a resource, or those related to one record. */
export interface Subjected {
  readonly resource: Resource
  readonly list: List
  readonly owner?: { readonly resource: Resource; readonly relation: Relation }
}

export const listsIn = (model: Model, roots: readonly Root[]): readonly Subjected[] =>
  selectedIn(model, roots).filter((one) => one.kind === "list")

/** Related records of one record, without statistics. */
const assumedRelated = 100
/** How much more than the average one record may have. */
const skew = 4
/** The part of a table that an equality leaves, by an index that is not unique. */
const share = 0.1

const counted = ({ statistics }: Facts, table: TableName): number | undefined =>
  statistics.get(tableKey(table))?.rows

const sizeOf = (facts: Facts, resource: Resource): number =>
  counted(facts, resource.table) ?? Number.POSITIVE_INFINITY

/** How many records of the target one record is related to: some times the average. */
export function relatedRows(facts: Facts, resource: Resource, relation: Relation): number {
  const target = resourceNamed(facts.model, relation.target)
  if (relation.kind === "one") return relation.first ? relatedOfFirst(facts, resource, relation.first) : 1
  const { through } = relation
  if (through === undefined) {
    const columns = relation.join.map(({ to }) => to)
    if (!indexesOf(facts, target).some((index) => columns.includes(index.columns[0] ?? "")))
      return sizeOf(facts, target)
  }
  return averageRows(counted(facts, (through ?? target).table), counted(facts, resource.table))
}

/** The database looks at all of them to find the first. */
function relatedOfFirst(facts: Facts, { name }: Resource, { relation }: FirstRelated): number {
  const model = newestOf(facts.model)
  const resource = resourceNamed(model, name)
  return 1 + relatedRows({ ...facts, model }, resource, relationNamed(resource, relation))
}

function averageRows(all: number | undefined, among: number | undefined): number {
  if (all === undefined || among === undefined) return assumedRelated
  return Math.min(all, Math.ceil(all / Math.max(1, among)) * skew)
}

export interface Reach {
  /** Rows that the database looks at to find all that meet the condition. */
  readonly rows: number
  /** Whether the rows come in the list's order, so that the end of the page ends the work. */
  readonly ordered: boolean
  /** Set if only the actor's rule breaks the order: an estimate of rows to look at for each row that the rule leaves. */
  readonly walk?: number
}

export function reachOf(facts: Facts, subjected: Subjected): Reach {
  const { resource, list, owner } = subjected
  const left = rowsLeft(facts, resource, list.where)
  const fixed = new Set(left.fixed)
  if (owner?.relation.kind === "many") for (const { to } of owner.relation.join) fixed.add(to)
  const related = owner ? relatedRows(facts, owner.resource, owner.relation) : sizeOf(facts, resource)
  const linked = owner?.relation.kind === "many" && owner.relation.through !== undefined
  const rows = Math.min(related, left.rows, fixedRows(facts, resource, fixed))
  const ordered = !linked && isOrdered(facts, { resource, list }, { fixed, open: left.open })
  if (ordered || linked) return { rows, ordered }
  const own = withoutRule(facts, { resource, list }, owner)
  return own ? { rows, ordered, walk: walkOf(facts, resource) } : { rows, ordered }
}

/** Whether the rows come in order as far as the request's own condition goes. */
function withoutRule(facts: Facts, { resource, list }: Subjected, owner: Subjected["owner"]): boolean {
  const { access: _, ...open } = resource
  const left = rowsLeft(facts, open, list.where)
  const fixed = new Set(left.fixed)
  if (owner?.relation.kind === "many") for (const { to } of owner.relation.join) fixed.add(to)
  return isOrdered(facts, { resource: open, list }, { fixed, open: left.open })
}

/**
 * The columns of an index that would leave fewer rows of a list, or give them in its order. Undefined where none would help,
 * or the index exists.
 * @param forPage the end of the page is the end of the work
 */
export function indexFor(
  facts: Facts,
  subjected: Subjected,
  { forPage }: { readonly forPage: boolean },
): readonly string[] | undefined {
  const found = bestIndex(facts, subjected, forPage)
  const { access, ...open } = subjected.resource
  // The database tests a rule without index on each row, in the order of the list.
  return found || !forPage || !access ? found : bestIndex(facts, { ...subjected, resource: open }, forPage)
}

function bestIndex(
  facts: Facts,
  { resource, list, owner }: Subjected,
  forPage: boolean,
): readonly string[] | undefined {
  if (owner?.relation.kind === "many" && owner.relation.through) return undefined
  const left = rowsLeft(facts, resource, list.where)
  const related = owner?.relation.kind === "many" ? owner.relation.join.map(({ to }) => to) : []
  const fixed = new Set([...related, ...left.fixed])
  const wanted = forPage ? wantedColumns(resource, list, { fixed, open: left.open }) : undefined
  const more = wanted ?? rangeColumns(resource, left.open)
  const isThere = indexesOf(facts, resource).some(
    (index) => startsWith(index.columns, fixed) && follows(index, fixed.size, more),
  )
  return isThere ? undefined : [...fixed, ...more]
}

/** The first column that a condition gives a range, or one of several values. */
function rangeColumns(resource: Resource, open: readonly Part[]): readonly string[] {
  for (const { conjunct } of open) {
    if (conjunct.kind !== "compare" || !["lt", "lte", "gt", "gte", "in"].includes(conjunct.operator)) continue
    const columns = servedColumns(resource, conjunct.subject)
    if (columns) return columns
  }
  return []
}

/** How many rows there are for each that the rule leaves. */
function walkOf(facts: Facts, resource: Resource): number {
  const size = sizeOf(facts, resource)
  const whole: Facts = { ...facts, model: wholeOf(facts.model) }
  const rule = resource.access?.read
  if (!rule || isForAll(rule) || size === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  const parts = conjunctsOf(rule).map((conjunct) => {
    const ruled = resourceNamed(whole.model, resource.name)
    const columns = fixedColumns(whole.model, ruled, conjunct)
    const left = columns.length > 0 ? namedRows(whole, ruled, new Set(columns)) : Math.ceil(size * share)
    return size / Math.max(1, Math.min(size, left))
  })
  return Math.max(1, ...parts)
}

/** For a reference, as many as each record has on average. */
function namedRows(facts: Facts, resource: Resource, columns: ReadonlySet<string>): number {
  const all = sizeOf(facts, resource)
  const each = targetsNamed(facts, resource, columns).map(({ table }) => {
    const among = counted(facts, table)
    return among === undefined ? assumedRelated : all / Math.max(1, among)
  })
  return each.length === 0 ? Math.ceil(all * share) : Math.min(...each)
}

/**
 * The same by the Model alone: its keys and indexes, and one on each foreign key. The form of a statement may depend on this
 * answer.
 */
export function isIndexScan(model: Model, subjected: Subjected): boolean {
  const { list, owner } = subjected
  const facts = factsOf(model)
  if (reachOf(facts, subjected).ordered) return true
  // All records that a rule leaves, in the order of their key. Where the request names some, they are found once instead.
  return !owner && !list.where && reachOf({ ...facts, keyed: model.managed }, subjected).ordered
}

/** Whether the condition's values decide which index reads an ordered list best. */
export function dependsOnValues(model: Model, subjected: Subjected): boolean {
  const { resource, list, owner } = subjected
  const rule = resource.access?.read
  if (!list.where && (!rule || isForAll(rule) || owner)) return false
  const facts = factsOf(model)
  // The best index has the columns that the rule fixes and then the key, however much the rule leaves.
  if (!list.where && reachOf({ ...facts, keyed: model.managed }, subjected).ordered) return false
  return owner !== undefined || isContested(facts, subjected, rowsLeft(facts, resource, list.where))
}

/** All that one record has, by their key: few, so that it matters little whether an index on the reference has the key too. */
export const isKeyLookup = ({ owner, list: { where, order } }: Subjected): boolean =>
  owner?.relation.kind === "many" && !owner.relation.through && !where && order.length === 1

/** Whether it takes the values to say how a list is best read. */
export const takesValues = (model: Model, subjected: Subjected): boolean =>
  dependsOnValues(model, subjected) || !(isIndexScan(model, subjected) || isKeyLookup(subjected))

const factsOf = (model: Model): Facts => ({ model, statistics: new Map(), sizeAt: () => 1 })

interface Left extends Bounds {
  readonly rows: number
}

/** The part of a table that a condition leaves, as far as indexes can tell. */
function rowsLeft(facts: Facts, resource: Resource, where: Filter | undefined): Left {
  const fixed = new Set<string>()
  const open: Part[] = []
  let rows = sizeOf(facts, resource)
  for (const part of partsOf(facts, resource, where)) {
    const columns = fixedColumns(part.facts.model, part.resource, part.conjunct)
    for (const column of columns) fixed.add(column)
    if (columns.length === 0) open.push(part)
    const { conjunct } = part
    rows = Math.min(
      rows,
      listedRows(part.facts, part.resource, conjunct),
      semiJoinedRows(part.facts, part.resource, conjunct),
    )
  }
  return { rows: Math.min(rows, fixedRows(facts, resource, fixed)), fixed, open }
}

/** Rows that the database looks at to find the records that meet a condition. */
export const rowsMeeting = (facts: Facts, resource: Resource, where: Filter): number =>
  rowsLeft(facts, resource, where).rows

/** A condition that has to hold besides others, in the terms of its own model. */
export interface Part {
  readonly facts: Facts
  readonly resource: Resource
  readonly conjunct: Filter
}

/** Parts of the request's condition, and parts of the rule, which may name members that the actor does not see. */
export function partsOf(facts: Facts, resource: Resource, where: Filter | undefined): readonly Part[] {
  const own = where ? conjunctsOf(where).map((conjunct) => ({ facts, resource, conjunct })) : []
  const rule = resource.access?.read
  if (!rule || isForAll(rule)) return own
  const whole: Facts = { ...facts, model: wholeOf(facts.model) }
  const ruled = resourceNamed(whole.model, resource.name)
  // The whole model has no rules: conditions of rules see every record.
  return [...own, ...conjunctsOf(rule).map((conjunct) => ({ facts: whole, resource: ruled, conjunct }))]
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

/** By an index on a column that must equal one of several values. */
function listedRows(facts: Facts, resource: Resource, filter: Filter): number {
  if (filter.kind !== "compare" || filter.operator !== "in") return Number.POSITIVE_INFINITY
  const columns = servedColumns(resource, filter.subject)
  if (!columns) return Number.POSITIVE_INFINITY
  return times(facts.sizeAt(filter.operand), fixedRows(facts, resource, new Set(columns)))
}

/** Rows related to the rows that the condition on the other side leaves. */
function semiJoinedRows(facts: Facts, resource: Resource, filter: Filter): number {
  const found = semiJoined(facts.model, resource, filter)
  if (!found) return Number.POSITIVE_INFINITY
  const inner = semiJoinRows(facts, found.relation, found.of)
  // Through a join table each row leads to one.
  return found.columns.length === 0 ? inner : times(inner, fixedRows(facts, resource, new Set(found.columns)))
}

/** Rows that the database looks at to find related records that meet the condition, and the links to them: once for all rows. */
export function semiJoinRows(facts: Facts, relation: Relation, filter: Filter): number {
  const target = resourceNamed(facts.model, relation.target)
  const { rows } = rowsLeft(facts, target, filter)
  if (relation.kind === "one" || !relation.through) return rows
  const { table, far } = relation.through
  const all = counted(facts, table)
  const indexes = facts.statistics.get(tableKey(table))?.indexes
  const isIndexed = indexes?.some(({ columns }) => far.some(({ from }) => from === columns[0])) ?? true
  return isIndexed
    ? times(rows, 1 + averageRows(all, counted(facts, target.table)))
    : rows + (all ?? Number.POSITIVE_INFINITY)
}

/** A reference leaves as many rows as its record has on average, any other value a share. */
function narrowed(facts: Facts, resource: Resource, columns: ReadonlySet<string>): number {
  const size = sizeOf(facts, resource)
  const found = targetsNamed(facts, resource, columns).map(({ table }) =>
    averageRows(counted(facts, resource.table), counted(facts, table)),
  )
  return Math.min(Math.ceil(size * share), ...found)
}

/** The resources whose records these columns name. */
const targetsNamed = (
  { model }: Facts,
  { relations }: Resource,
  columns: ReadonlySet<string>,
): readonly Resource[] =>
  [...relations.values()].flatMap((relation) =>
    relation.kind === "one" && !relation.first && relation.join.every(({ from }) => columns.has(from))
      ? [resourceNamed(model, relation.target)]
      : [],
  )

interface Bounds {
  readonly fixed: ReadonlySet<string>
  /** Those that no fixed column answers. */
  readonly open: readonly Part[]
}

/** An index holds the fixed columns, then the columns of the order; the database may still sort ties by the key. */
function isOrdered(facts: Facts, { resource, list }: Subjected, bounds: Bounds): boolean {
  const { fixed, open } = bounds
  const [first] = list.order
  if (list.order.length === 1 && first?.subject.kind === "row") return fixed.size === 0 && open.length === 0
  const wanted = wantedColumns(resource, list, bounds)
  return indexesOf(facts, resource).some(
    (index) => startsWith(index.columns, fixed) && wanted !== undefined && follows(index, fixed.size, wanted),
  )
}

/** The columns of the order that have no one value; undefined when no index can give the order. */
function wantedColumns(
  resource: Resource,
  { order }: List,
  { fixed, open }: Bounds,
): readonly string[] | undefined {
  const last = order.at(-1)
  const lead = order.slice(0, -1)
  if (!last || order.some(({ path }) => path.length > 0)) return undefined
  const terms = lead.length === 0 ? [last] : lead
  const columns = terms.map(({ subject }) =>
    subject.kind === "row" ? undefined : servedColumns(resource, subject),
  )
  const inRange = open.every((part) => isRange(part, columns[0]))
  if (!inRange || terms.some(({ descending }) => descending !== terms[0]?.descending)) return undefined
  if (columns.some((names) => names === undefined)) return undefined
  return columns.flatMap((names) => names ?? []).filter((column) => !fixed.has(column))
}

const follows = ({ columns }: Index, place: number, wanted: readonly string[]): boolean =>
  wanted.every((column, at) => columns[place + at] === column)

/** Whether another index gives the order too, of more rows: which of them is better depends on the values. */
function isContested(facts: Facts, { resource, list }: Subjected, bounds: Bounds): boolean {
  const { fixed } = bounds
  const wanted = wantedColumns(resource, list, bounds)
  return indexesOf(facts, resource).some((index) => {
    const place = index.columns.findIndex((column) => !fixed.has(column))
    return wanted !== undefined && place >= 0 && place < fixed.size && follows(index, place, wanted)
  })
}

/** A range of the order's first column only moves where reading starts and ends. */
function isRange({ conjunct: filter, resource }: Part, columns: readonly string[] | undefined): boolean {
  if (filter.kind !== "compare" || !["lt", "lte", "gt", "gte"].includes(filter.operator)) return false
  const [column] = servedColumns(resource, filter.subject) ?? []
  return column !== undefined && column === columns?.[0]
}

/** As the database has them; without its word those that the whole Model has, and one on each foreign key. */
function indexesOf(
  { model, statistics, keyed }: Facts,
  { name, table, tiebreak }: Resource,
): readonly Index[] {
  const found = statistics.get(tableKey(table))
  if (found) return found.indexes
  // Rows without an identity belong to a view. Finding them a second time may cost as much as the first.
  if (tiebreak === "columns") return []
  const resource = resourceNamed(wholeOf(model), name)
  const columns = (subject: Subject): readonly string[] => columnsOf(resource, subject)
  const key = resource.key ? columns({ kind: "id" }) : []
  const made = (named: readonly string[]): Index => ({
    columns: keyed ? [...named, ...key.filter((column) => !named.includes(column))] : named,
    unique: false,
  })
  return [
    ...(resource.key ? [{ columns: key, unique: true }] : []),
    ...resource.uniques.map(({ members }) => ({ columns: members.flatMap(columns), unique: true })),
    ...resource.indexes.map((index) => made(index.columns)),
    ...[...resource.relations.values()].flatMap((relation) =>
      relation.kind === "one" ? [made(relation.join.map(({ from }) => from))] : [],
    ),
  ]
}

/** The first columns of an index are exactly these, in whatever order. */
const startsWith = (columns: readonly string[], set: ReadonlySet<string>): boolean =>
  columns.length >= set.size && columns.slice(0, set.size).every((column) => set.has(column))

/** Zero times infinity is zero here. */
export const times = (count: number, each: number): number => (count === 0 || each === 0 ? 0 : count * each)
