// The cost of a plan, before it runs: an estimate of the rows that the database looks at. The plan's shape, its page sizes and
// statistics of the tables decide it. docs/operate/load.md describes its use.
// More rows, larger pages and more members never make it less.
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import { isFormerRelation } from "../../model/former-fields.ts"
import type { Charge } from "../../model/limits.ts"
import type { Resource } from "../../model/model.ts"
import { foldFilter, withoutObjects } from "../fold.ts"
import {
  endOf,
  relationNamed,
  resourceNamed,
  targetOf,
  transitionsOf,
  wholeField,
  wholeOf,
} from "../lookup.ts"
import { answersModel, type Plan } from "../plan.ts"
import { relationsBehind } from "../read/computed.ts"
import type {
  AggregateMember,
  Filter,
  ListMember,
  Member,
  OrderTerm,
  ReadPlan,
  Root,
  Slot,
  Value,
} from "../read-plan.ts"
import { semiJoined, servedColumns } from "../selectivity.ts"
import { hooksOf } from "../write/calls-user-code.ts"
import type { Step, Write } from "../write-plan.ts"
import {
  type Facts,
  type Frequencies,
  listsIn,
  partsOf,
  reachOf,
  relatedRows,
  rowsMeeting,
  type Statistics,
  type Subjected,
  semiJoinRows,
  tableKey,
  takesValues,
  times,
} from "./access-paths.ts"
import { chargeOf, sizeOfValue } from "./points.ts"

/** Rows that the database looks at or writes for a plan, and the equivalent of user code in rows. */
export const costOf = (plan: Plan, statistics: Statistics): number => estimate(plan, statistics).rows

interface Estimate {
  /** The sizes that the estimate depends on, by slot. */
  readonly sizes: ReadonlyMap<number, number>
  /** Infinite when a table of unknown size is scanned. */
  readonly rows: number
  readonly charge: Charge
}

function estimate(plan: Plan, statistics: Statistics): Estimate {
  const { values } = plan
  const model = answersModel(plan)
  const sizes = new Map<number, number>()
  const sizeAt = ({ slot }: Slot): number => {
    const size = sizeOfValue(values[slot])
    sizes.set(slot, size)
    return size
  }
  const facts: Facts = { model, statistics, sizeAt }
  const rows =
    plan.kind === "read"
      ? sum(plan.roots, (root) => rootCost(facts, root))
      : sum(plan.steps, (step) => stepCost(facts, step))
  return { sizes, rows, charge: chargeOf(plan, sizeAt) }
}

/** The expectation of a read, before it runs. */
export interface CostEstimate {
  /** `prompt`: as soon as can be; `slow`: beside the others, so that none of them waits for it. */
  readonly pace: "prompt" | "slow"
  /** The answer is probably so long that bytes are better than text. */
  readonly long: boolean
  /** The read is prompt, and its values are so common that the generic plan suits them. */
  readonly usual: boolean
}

/** Rows up to which a read is prompt; a slower one runs beside the others. */
const mostPrompt = 5_000
/** Rows from which on an answer is taken to be long: some kilobytes. */
const leastLong = 10

/** The price of a plan, and its expectation. */
export interface Price extends CostEstimate {
  readonly rows: number
  /** The caller's share: from the model alone, whatever the database holds. */
  readonly charge: Charge
}

const priceOf = ({ rows, charge }: Pick<Estimate, "rows" | "charge">): Price => ({
  rows,
  charge,
  pace: rows <= mostPrompt ? "prompt" : "slow",
  long: rows >= leastLong,
  usual: false,
})

interface Known extends Estimate {
  readonly price: Price
  /** The price for common values. */
  readonly usually: Price
}

/** Prices plans of one shape as long as these statistics hold; plans of the same sizes are estimated once. */
export function createPrice(statistics: Statistics): (plan: Plan) => Price {
  let known: Known | undefined
  const isUsual = createGenericPlan(statistics)
  return (plan) => {
    if (!known || !isSame(known, plan)) known = expect(estimate(plan, statistics))
    return plan.kind === "read" && isUsual(plan) ? known.usually : known.price
  }
}

function isSame({ sizes }: Known, { values }: Plan): boolean {
  for (const [slot, size] of sizes) if (!Object.is(sizeOfValue(values[slot]), size)) return false
  return true
}

function expect(found: Estimate): Known {
  const price = priceOf(found)
  return { ...found, price, usually: { ...price, usual: price.pace === "prompt" } }
}

/** A call of user code: as much as a page of a hundred rows. */
const callPoints = 100
/** A hook of one record. */
const hookPoints = 10

/** The cost of a write's step: its writes, each with its change in the log, and its answer. */
function stepCost(facts: Facts, { writes, answer, call }: Step): number {
  const found = Math.max(
    1,
    ...writes.flatMap((write) => (write.kind === "find" ? facts.sizeAt(write.most) : [])),
  )
  return (
    sum(writes, (write) => writeCost(facts, write, found)) +
    rootCost(facts, answer) +
    (call
      ? callPoints + sum(call.gives, (given) => (given.kind === "output" ? 0 : rootCost(facts, given)))
      : 0)
  )
}

/** @param found records at most, where a write is of several */
function writeCost(facts: Facts, write: Write, found: number): number {
  const each = 1 + (write.log ? 1 : 0) + (hooksOf(facts.model, write) ? hookPoints : 0)
  const several =
    ("several" in write && write.several) || ("target" in write && write.target.several) ? found : 1
  return match(write, {
    find: ({ resource, where }) => findCost(facts, resourceNamed(facts.model, resource), where),
    locate: () => 1,
    only: () => 2,
    sum: () => 1,
    insert: () => each,
    upsert: () => each + 1,
    update: ({ rule }) => times(several, each + ruleCost(facts, write.resource, rule).each),
    delete: ({ rule }) => times(several, each + ruleCost(facts, write.resource, rule).each),
    link: () => each,
    unlink: () => times(several, each),
    may: () => several,
    check: ({ that }) => times(several, 1 + ruleCost(facts, write.resource, that).each),
    judge: ({ asks }) =>
      sum(asks, ({ that }) => times(several, 1 + ruleCost(facts, write.resource, that).each)),
    refers: () => 1,
    collect: () => 0,
  })
}

function findCost(facts: Facts, resource: Resource, where: Filter): number {
  const { each, once } = conditionCost(facts, resource, where)
  return times(rowsMeeting(facts, resource, where), 1 + each) + once
}

/** Rules are in the terms of the whole service. */
function ruleCost(facts: Facts, resource: string, rule: Filter | undefined): Looked {
  if (!rule) return nothing
  const model = wholeOf(facts.model)
  return conditionCost({ ...facts, model }, resourceNamed(model, resource), rule)
}

function rootCost(facts: Facts, root: Root): number {
  const { model } = facts
  return match(root, {
    constant: () => 0,
    record: ({ resource: name, members }) => {
      const { each, once } = membersCost(facts, resourceNamed(model, name), members)
      return 1 + each + once
    },
    records: ({ of }) => sum(of, (one) => rootCost(facts, one)),
    object: ({ of }) => sum(of, (one) => rootCost(facts, one)),
    list: ({ resource, list }) => listCost(facts, { resource: resourceNamed(model, resource), list }),
  })
}

/** Rows that the database looks at for each record, and once for all of them. */
interface Looked {
  readonly each: number
  readonly once: number
}
const nothing: Looked = { each: 0, once: 0 }

const added = (parts: readonly Looked[]): Looked => ({
  each: sum(parts, ({ each }) => each),
  once: sum(parts, ({ once }) => once),
})

const membersCost = (facts: Facts, resource: Resource, members: readonly Member[]): Looked =>
  added(withoutObjects(members).map((member) => memberCost(facts, resource, member)))

function memberCost(facts: Facts, resource: Resource, member: Member): Looked {
  if (member.kind === "transitions")
    return added(
      transitionsOf(resource).flatMap(({ access }) =>
        access ? [access.allow, access.when].map((rule) => ruleCost(facts, resource.name, rule)) : [],
      ),
    )
  if (member.kind === "field") return { each: fieldCost(facts, resource, member.field), once: 0 }
  if (member.kind === "reference") return { each: subjectCost(facts, resource, member), once: 0 }
  if (member.kind !== "one" && member.kind !== "many") return nothing
  const target = targetOf(facts.model, resource, member.relation)
  const relation = relationNamed(resource, member.relation)
  if (member.kind === "many") {
    const owner = { resource, relation }
    return { each: listCost(facts, { resource: target, list: member.list, owner }), once: 0 }
  }
  const { each, once } = membersCost(facts, target, member.members)
  return { each: relatedRows(facts, resource, relation) + each, once }
}

/** Rows that the database looks at to compute the field of one record. */
function fieldCost(facts: Facts, resource: Resource, name: string): number {
  if (resource.fields.get(name)?.computed === undefined) return 0
  const whole = wholeOf(facts.model)
  const own = resourceNamed(whole, resource.name)
  return sum(relationsBehind(whole, own, wholeField(facts.model, own, name)), ({ resource: of, relation }) =>
    relatedRows({ ...facts, model: whole }, of, relationNamed(of, relation)),
  )
}

function subjectCost(facts: Facts, resource: Resource, subject: OrderTerm["subject"]): number {
  if (subject.kind === "field") return fieldCost(facts, resource, subject.field)
  if (subject.kind !== "reference") return 0
  const relation = relationNamed(resource, subject.relation)
  return isFormerRelation(relation) ? relatedRows(facts, resource, relation) : 0
}

/** Rows that the database looks at to follow to-one relations from one record. */
function pathCost(facts: Facts, resource: Resource, [name, ...more]: readonly string[]): number {
  if (name === undefined) return 0
  const further = pathCost(facts, targetOf(facts.model, resource, name), more)
  return relatedRows(facts, resource, relationNamed(resource, name)) + further
}

const measuresCost = (facts: Facts, resource: Resource, members: readonly AggregateMember[]): number =>
  sum(withoutObjects(members), (member) =>
    member.kind === "measure" ? fieldCost(facts, resource, member.field) : 0,
  )

/** The cost for each row that is counted, measured or put into a group. */
function figuresCost(facts: Facts, resource: Resource, member: ListMember): number {
  if (member.kind === "aggregate") return measuresCost(facts, resource, member.members)
  if (member.kind !== "groups") return 0
  const { by, members } = member.groups
  return sum(by, (subject) => subjectCost(facts, resource, subject)) + measuresCost(facts, resource, members)
}

function listCost(facts: Facts, subjected: Subjected): number {
  const { resource, list } = subjected
  const reach = reachOf(facts, subjected)
  const rule = ruleCost(facts, resource.name, resource.access?.read)
  const where = list.where ? conditionCost(facts, resource, list.where) : nothing
  const each = 1 + where.each + rule.each
  const sorted =
    each +
    sum(
      list.order,
      ({ path, subject }) =>
        pathCost(facts, resource, path) + subjectCost(facts, endOf(facts.model, resource, path), subject),
    )
  const limit = facts.sizeAt(list.page.limit)
  const members = withoutObjects(list.members)
  const all = members.filter(({ kind }) => kind === "total" || kind === "aggregate" || kind === "groups")
  const rows = members.flatMap((member) => (member.kind === "rows" ? member.members : []))
  const paged = members.some(({ kind }) => kind === "rows" || kind === "page")
  const ofRows = membersCost(facts, resource, rows)
  const walk = reach.ordered ? 1 : reach.walk
  const looked = walk === undefined ? reach.rows : Math.min(times(limit + 1, walk), reach.rows)
  return (
    ofRows.once +
    where.once +
    rule.once +
    sum(all, (member) => times(reach.rows, each + figuresCost(facts, resource, member))) +
    (paged && limit > 0 ? times(looked, sorted) : 0) +
    times(Math.min(limit, reach.rows), ofRows.each)
  )
}

/** Rows that the database looks at to test the condition on one record; once: the inner side of its subqueries. */
function conditionCost(facts: Facts, resource: Resource, filter: Filter): Looked {
  const { model } = facts
  const ofSubject = ({ subject }: { readonly subject: Subject }, _: undefined, at: Resource): Looked => ({
    each: subjectCost(facts, at, subject),
    once: 0,
  })
  const through = (related: RelatedFilter, inner: Looked, at: Resource): Looked => {
    const found = semiJoined(model, at, related)
    if (found)
      return {
        each: 0,
        once: inner.once + times(semiJoinRows(facts, found.relation, found.of), 1 + inner.each),
      }
    const rows = relatedRows(facts, at, relationNamed(at, related.relation))
    return { each: times(rows, 1 + inner.each), once: inner.once }
  }
  return foldFilter<Looked>(model, resource, filter, {
    and: (_, parts) => added(parts),
    or: (_, parts) => added(parts),
    not: (_, inner) => inner,
    compare: ofSubject,
    isNull: ofSubject,
    related: through,
    quantified: through,
    together: () => nothing,
    settled: () => nothing,
  })
}

type RelatedFilter = Extract<Filter, { readonly kind: "related" | "quantified" }>

function sum<Item>(items: readonly Item[], cost: (item: Item) => number): number {
  let total = 0
  for (const item of items) total += cost(item)
  return total
}

/** `about 231 rows: prompt, answered at once`, for people. */
export function printCost(plan: Plan, statistics: Statistics): string {
  const found = estimate(plan, statistics)
  const { rows } = found
  const count =
    rows === Number.POSITIVE_INFINITY
      ? "an unknown number of rows"
      : `about ${rows} row${rows === 1 ? "" : "s"}`
  if (plan.kind === "write") return `${count}: each is found, checked or written; user code may add more`
  return `${count}: ${priceOf(found).pace === "prompt" ? "prompt, answered at once" : "slow, runs apart from prompt reads"}`
}

// Whether a plan compares with common values: as frequent as most others of their columns. Then the best way to the rows does
// not depend on the values, and a generic plan suits all of them.

/** A value, and how frequent such values are. */
interface Compared {
  readonly slot: number
  /** The column is the only part of a key. */
  readonly isKey: boolean
  readonly frequencies: Frequencies
}

/** For plans of one shape; the first plan looks up its comparisons for all. */
function createGenericPlan(statistics: Statistics): (plan: ReadPlan) => boolean {
  let compared: readonly Compared[] | "unknown" | undefined
  return (plan) => {
    compared ??= comparedBy(plan, statistics) ?? "unknown"
    return compared !== "unknown" && compared.every((one) => isUsual(plan, one))
  }
}

function isUsual({ values }: ReadPlan, { slot, isKey, frequencies }: Compared): boolean {
  const given = values[slot]
  const value = isKey && Array.isArray(given) ? (given as readonly Value[])[0] : given
  if (value === undefined || value === null || typeof value === "object") return false
  return frequencies.named.has(String(value)) === (frequencies.usual === "named")
}

/** Undefined where the way to the rows depends on more than that, or on no value at all. */
function comparedBy({ model, roots }: ReadPlan, statistics: Statistics): readonly Compared[] | undefined {
  const facts: Facts = { model, statistics, sizeAt: () => 1 }
  const compared: Compared[] = []
  for (const subjected of listsIn(model, roots)) {
    if (!takesValues(model, subjected)) continue
    const own = comparedIn(facts, subjected)
    if (!own) return undefined
    compared.push(...own)
  }
  return compared.length > 0 ? compared : undefined
}

/** Undefined unless each condition is an equality with one column whose frequencies are known. */
function comparedIn(facts: Facts, { resource, list }: Subjected): readonly Compared[] | undefined {
  const compared: Compared[] = []
  for (const { resource: holder, conjunct } of partsOf(facts, resource, list.where)) {
    if (conjunct.kind !== "compare" || conjunct.operator !== "eq") return undefined
    const { subject, operand } = conjunct
    const [column, ...others] = servedColumns(holder, subject) ?? []
    const frequencies = column === undefined ? undefined : frequenciesOf(facts, holder, column)
    if (!frequencies || others.length > 0 || operand.viewer || operand.known !== undefined) return undefined
    compared.push({ slot: operand.slot, isKey: subject.kind !== "field", frequencies })
  }
  return compared
}

/** Undefined where the value has a condition of its own, which would be one more comparison. */
function frequenciesOf(
  { statistics }: Facts,
  { fields, table }: Resource,
  column: string,
): Frequencies | undefined {
  const isHidden = [...fields.values()].some((field) => field.column === column && field.seen)
  return isHidden ? undefined : statistics.get(tableKey(table))?.frequencies?.get(column)
}
