// Rules that can never hold: each way in which one could, and the fact of it that another excludes.
import type { Model, Resource } from "../../model/model.ts"
import type { OperatorName } from "../../model/operators.ts"
import { fieldNamed, subjectName, targetOf } from "../lookup.ts"
import type { Filter, Slot, Value } from "../read-plan.ts"
import { compareValues, valueKey, valueTypeOf } from "../values/values.ts"
import type { Rule } from "./policy-types.ts"

/**
 * Why the rule holds for no caller and no record, as the rest of a sentence; undefined when it may hold. Contents of texts
 * and records behind to-many relations count only where the rule also has the exact opposite of a condition.
 */
export function whyUnsatisfiable(
  model: Model,
  resource: Resource,
  rule: Rule,
  values: readonly Value[],
): string | undefined {
  const isClosed = (way: Way): boolean => conflictIn(model, way, values) !== undefined
  const ways = waysOf({ model, isClosed }, resource, rule)
  if (!ways) return undefined
  let first: string | undefined
  for (const way of ways) {
    const why = conflictIn(model, way, values)
    if (why === undefined) return undefined
    first ??= why
  }
  return first ?? "it negates a condition that always holds"
}

/** Why the facts exclude each other; undefined when all may hold together. */
export function conflictIn(model: Model, way: Way, values: readonly Value[]): string | undefined {
  const asked = new Map<string, boolean>()
  const byName = new Map<string, ValueFact[]>()
  for (const fact of way) {
    if (fact.kind === "value") {
      byName.set(fact.name, [...(byName.get(fact.name) ?? []), fact])
      continue
    }
    if (asked.has(fact.key) && asked.get(fact.key) !== fact.holds)
      return `it asks for ${fact.what} and for the opposite`
    asked.set(fact.key, fact.holds)
  }
  for (const [name, facts] of byName)
    if (!isPossible(model, facts, values)) return `no \`${name}\` meets all that it asks`
  return undefined
}

type ValueFact = Extract<Fact, { readonly kind: "value" }>
type Comparing = Exclude<OperatorName, "isNull">

const opposites: Partial<Record<Comparing, Comparing>> = {
  eq: "ne",
  ne: "eq",
  in: "notIn",
  notIn: "in",
  lt: "gte",
  gte: "lt",
  gt: "lte",
  lte: "gt",
}

/** Those that hold for a missing value too. */
const takesMissing: ReadonlySet<Comparing> = new Set(["ne", "notIn"])

interface Demand {
  readonly operator: Comparing
  readonly operand: Slot
  /** The condition holds for a missing value as well, as the opposite of a comparison does. */
  readonly missing: boolean
}

/** Whether a member of one record may meet all of these. */
function isPossible(model: Model, facts: readonly ValueFact[], values: readonly Value[]): boolean {
  const demands = facts.flatMap(demandOf)
  const missing = facts.flatMap(({ asked, holds }) => (asked.kind === "isNull" ? [asked.is === holds] : []))
  const [fact] = facts
  if (!fact) return true
  if (saysOpposites(facts)) return false
  const canBeMissing = !missing.includes(false) && demands.every((demand) => demand.missing)
  if (missing.includes(true)) return canBeMissing
  return (canBeMissing && isOptional(fact)) || hasValue(model, fact, demands, values)
}

/** The comparison, inverted where it must not hold; empty for an operator without an opposite. */
function demandOf({ asked, holds }: ValueFact): readonly Demand[] {
  if (asked.kind === "isNull") return []
  const operator = holds ? asked.operator : opposites[asked.operator]
  const missing = holds === takesMissing.has(asked.operator)
  return operator === undefined ? [] : [{ operator, operand: asked.operand, missing }]
}

/** Whether the same comparison occurs with its opposite: the only conflict that operators on texts and lists show. */
function saysOpposites(facts: readonly ValueFact[]): boolean {
  const said = new Map<string, boolean>()
  return facts.some(({ asked, holds }) => {
    const key = JSON.stringify(asked)
    const before = said.get(key)
    said.set(key, holds)
    return before !== undefined && before !== holds
  })
}

function isOptional({ resource, asked: { subject } }: ValueFact): boolean {
  if (subject.kind === "id") return false
  const of = subject.kind === "field" ? resource.fields : resource.relations
  const member = of.get(subject.kind === "field" ? subject.field : subject.relation)
  return member !== undefined && "optional" in member && member.optional
}

function hasValue(
  model: Model,
  { resource, asked: { subject } }: ValueFact,
  demands: readonly Demand[],
  values: readonly Value[],
): boolean {
  const type = subject.kind === "field" ? valueTypeOf(model, fieldNamed(resource, subject.field)) : undefined
  const constants = demands.filter(({ operand }) => operand.slot !== 0)
  const wanted = constants.map(({ operator, operand }) => ({ operator, value: values[operand.slot] ?? null }))
  if (wanted.some(({ operator, value }) => operator === "hasAny" && isEmpty(value))) return false
  if (type?.list) return true
  if (excludesViewer(demands)) return false
  const order = (a: Value, b: Value): number | undefined => type && compareValues(type.scalar, a, b)
  const whole = type?.scalar === "integer" || type?.scalar === "int64"
  const own: readonly Value[] | undefined = type?.scalar === "boolean" ? [true, false] : type?.values
  const listed = wanted.flatMap(({ operator, value }) =>
    operator === "eq" ? [[value]] : operator === "in" ? [value as readonly Value[]] : [],
  )
  const [candidates] = own ? [own, ...listed] : listed
  if (candidates)
    return candidates.some((value) => wanted.every((demand) => meets(demand, value, order) ?? true))
  return !wanted.some((low) => wanted.some((high) => excludes(low, high, order, whole)))
}

const isEmpty = (value: Value): boolean => Array.isArray(value) && value.length === 0

/** `eq` and `ne` with the same member of the viewer. */
function excludesViewer(demands: readonly Demand[]): boolean {
  const members = (operator: Comparing): readonly string[] =>
    demands.flatMap((one) =>
      one.operator === operator && one.operand.slot === 0 ? [JSON.stringify(one.operand)] : [],
    )
  const others = members("ne")
  return members("eq").some((member) => others.includes(member))
}

interface Wanted {
  readonly operator: Comparing
  readonly value: Value
}
type Order = (a: Value, b: Value) => number | undefined

/** Undefined where it cannot be decided. */
function meets({ operator, value }: Wanted, given: Value, order: Order): boolean | undefined {
  const isAmong = (several: Value): boolean =>
    Array.isArray(several) && several.some((one: Value) => valueKey(one) === valueKey(given))
  const text = (of: (given: string, value: string) => boolean): boolean | undefined =>
    typeof given === "string" && typeof value === "string" ? of(given, value) : undefined
  const rank = order(given, value)
  switch (operator) {
    case "eq":
      return valueKey(value) === valueKey(given)
    case "ne":
      return valueKey(value) !== valueKey(given)
    case "in":
      return isAmong(value)
    case "notIn":
      return !isAmong(value)
    case "lt":
      return rank === undefined ? undefined : rank < 0
    case "lte":
      return rank === undefined ? undefined : rank <= 0
    case "gt":
      return rank === undefined ? undefined : rank > 0
    case "gte":
      return rank === undefined ? undefined : rank >= 0
    case "contains":
      return text((own, part) => own.includes(part))
    case "startsWith":
      return text((own, part) => own.startsWith(part))
    case "endsWith":
      return text((own, part) => own.endsWith(part))
    default:
      return undefined
  }
}

/** Whether no value is above the one and below the other, nor any whole number between adjacent whole numbers. */
function excludes(low: Wanted, high: Wanted, order: Order, whole: boolean): boolean {
  if (!["gt", "gte"].includes(low.operator) || !["lt", "lte"].includes(high.operator)) return false
  const rank = order(low.value, high.value)
  if (rank === undefined || rank > 0) return rank !== undefined
  const strict = Number(low.operator === "gt") + Number(high.operator === "lt")
  if (rank === 0) return strict > 0
  return whole && strict === 2 && Number(high.value) - Number(low.value) === 1
}

// A rule as the ways in which it can hold: each way a list of facts that must all be so (its disjunctive normal form).
type Comparison = Extract<Filter, { readonly kind: "compare" | "isNull" }>

export type Fact =
  | {
      readonly kind: "asked"
      /** Tells equal questions from others. */
      readonly key: string
      /** The question in words. */
      readonly what: string
      readonly holds: boolean
      /** The condition on the record; absent where the question is about the caller's credentials. */
      readonly where?: Filter
    }
  | {
      readonly kind: "value"
      /** `customer.name` */
      readonly name: string
      /** The resource that has the member. */
      readonly resource: Resource
      readonly asked: Comparison
      readonly holds: boolean
    }

export type Way = readonly Fact[]

/** More ways than this are not looked through. */
const mostWays = 256

interface Looking {
  readonly model: Model
  /** Whether the facts of this way exclude each other. */
  isClosed(way: Way): boolean
}

/** Undefined when there are too many. */
export function waysOf(
  looking: Looking,
  resource: Resource,
  rule: Rule,
  holds = true,
): readonly Way[] | undefined {
  switch (rule.kind) {
    case "and":
    case "or": {
      const parts = rule.of.map((part) => waysOf(looking, resource, part, holds))
      return (rule.kind === "and") === holds ? product(parts) : sum(parts)
    }
    case "not":
      return waysOf(looking, resource, rule.of, !holds)
    case "signedIn":
      return [[signedIn(holds)]]
    case "role":
    case "scope": {
      const what = `the ${rule.kind} ${JSON.stringify(rule.name)}`
      const asked: Fact = { kind: "asked", key: `${rule.kind} ${rule.name}`, what, holds }
      return [holds ? [asked, signedIn(true)] : [asked]]
    }
    case "records": {
      const ways = filterWays({ ...looking, resource, path: [] }, rule.where, holds)
      return rule.viewer ? product([[[signedIn(true)]], ways]) : ways
    }
  }
}

const signedIn = (holds: boolean): Fact => ({
  kind: "asked",
  key: "signedIn",
  what: "signed-in actors",
  holds,
})

interface Spot extends Looking {
  readonly resource: Resource
  /** To-one relations that led here; all have a target. */
  readonly path: readonly string[]
}

function filterWays(spot: Spot, filter: Filter, holds: boolean): readonly Way[] | undefined {
  switch (filter.kind) {
    case "and":
    case "or": {
      const parts = filter.of.map((part) => filterWays(spot, part, holds))
      return (filter.kind === "and") === holds ? product(parts) : sum(parts)
    }
    case "not":
      return filterWays(spot, filter.of, !holds)
    case "together":
      return [
        [
          {
            kind: "asked",
            key: `together ${filter.relation}`,
            what: `\`${filter.relation}\` made together`,
            holds,
            where: filter,
          },
        ],
      ]
    case "settled":
      return undefined
    case "compare":
    case "isNull": {
      const name = [...spot.path, subjectName(spot.resource, filter.subject)].join(".")
      return [[{ kind: "value", name, resource: spot.resource, asked: filter, holds }]]
    }
    case "related":
      return holds
        ? filterWays(within(spot, filter.relation), filter.of, true)
        : [[opaque(spot, filter.relation, filter, false)]]
    case "quantified": {
      const { relation, quantifier, of } = filter
      // `none` and `every` negate `some`; one key for all three reveals opposites.
      const counted: Filter = quantifier === "every" ? { kind: "not", of } : of
      const some = (quantifier === "some") === holds
      const inner = some ? filterWays(within(spot, relation), counted, true) : undefined
      return inner?.every(spot.isClosed)
        ? []
        : [[opaque(spot, relation, { ...filter, quantifier: "some", of: counted }, some)]]
    }
  }
}

const within = (spot: Spot, relation: string): Spot => ({
  ...spot,
  resource: targetOf(spot.model, spot.resource, relation),
  path: [...spot.path, relation],
})

const opaque = ({ path }: Spot, relation: string, filter: Filter, holds: boolean): Fact => {
  const name = [...path, relation].join(".")
  return {
    kind: "asked",
    key: `${name} ${JSON.stringify(filter)}`,
    what: `\`${name}\``,
    holds,
    where: filter,
  }
}

type Parts = readonly (readonly Way[] | undefined)[]

function sum(parts: Parts): readonly Way[] | undefined {
  const known = parts.filter((ways) => ways !== undefined)
  return known.length < parts.length ? undefined : bounded(known.flat())
}

/** A part that cannot hold settles it, even if another has too many ways. */
function product(parts: Parts): readonly Way[] | undefined {
  if (parts.some((ways) => ways?.length === 0)) return []
  let all: readonly Way[] | undefined = [[]]
  for (const ways of parts) {
    if (!ways || !all) return undefined
    if (all.length * ways.length > mostWays) return undefined
    all = all.flatMap((way) => ways.map((next) => [...way, ...next]))
  }
  return all
}

const bounded = (ways: readonly Way[]): readonly Way[] | undefined =>
  ways.length > mostWays ? undefined : ways
