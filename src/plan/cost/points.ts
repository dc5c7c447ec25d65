// The points of a plan: its price from the model and its page sizes alone, before a row is read. Equal questions cost the
// same by both faces. docs/reference/limits.md has the table of prices.

import { match } from "../../base/match.ts"
import type { Charge } from "../../model/limits.ts"
import type { Field, Model, Resource } from "../../model/model.ts"
import { noCursors } from "../draft/cursor.ts"
import { type PlanContext, startDraft } from "../draft/draft.ts"
import { partsIn, withoutObjects } from "../fold.ts"
import { fieldNamed, resourceNamed, targetOf, wholeField, wholeOf } from "../lookup.ts"
import { answersModel, type Plan } from "../plan.ts"
import { relationsBehind } from "../read/computed.ts"
import type {
  AggregateMember,
  Filter,
  List,
  ListMember,
  Member,
  ReadPlan,
  Root,
  Slot,
  Value,
} from "../read-plan.ts"
import { hooksOf } from "../write/calls-user-code.ts"
import type { Step, Write } from "../write-plan.ts"
import { times } from "./access-paths.ts"

/** Points of each thing that a request asks for. */
export const prices = {
  /** The request itself. */
  request: 1,
  /** So many characters of a GraphQL document that is refused. */
  refused: { characters: 200, points: 1 },
  /** A record that the answer may have. */
  record: 1,
  /** A total, an aggregate or a list of groups; a field that is computed from related records. */
  figure: 10,
  /** A measure of an aggregate, and a group. */
  measure: 1,
  /** A step to related records in a condition or an order. */
  step: 10,
  /** The transitions of a record. */
  transitions: 5,
  /** A value that user code computes; a record whose former fields a function of a version turns into today's. */
  computed: 5,
  /** A record that is created, changed or deleted, and a link. */
  write: 10,
  /** A hook of user code before a record is written. */
  hook: 10,
  /** A call of user code. */
  call: 100,
  /** A change that a stream or a subscription looks at, and each comparison of its condition. */
  look: 0.01,
} as const

/** One part of a plan, for people: `orders.lines`. */
export interface PricedPart extends Charge {
  /** Output keys from the root; empty for the request itself. */
  readonly place: readonly string[]
}

/**
 * The price of a request that is this plan.
 * @param sizeAt the size that the value in a slot stands for: a page's, or the number of values
 */
export function chargeOf(plan: Plan, sizeAt: (slot: Slot) => number): Charge {
  const total = { points: prices.request, records: 0, bytes: 0 }
  for (const { points, records, bytes } of partsOf(plan, sizeAt)) {
    total.points += points
    total.records += records
    total.bytes += bytes
  }
  return total
}

/** The price of a request of one plan, and its parts. */
export interface ExplainedCharge extends Charge {
  readonly parts: readonly PricedPart[]
}

export function explainCharge(plan: Plan): ExplainedCharge {
  const sizeAt = ({ slot }: Slot): number => sizeOfValue(plan.values[slot])
  const request = { place: [], points: prices.request, records: 0, bytes: 0 }
  return { ...chargeOf(plan, sizeAt), parts: [request, ...partsOf(plan, sizeAt)] }
}

/** In the order of the plan, without the request itself. */
function partsOf(plan: Plan, sizeAt: (slot: Slot) => number): readonly PricedPart[] {
  const parts: PricedPart[] = []
  const walk: Walk = { model: answersModel(plan), sizeAt, parts }
  if (plan.kind === "read") for (const root of plan.roots) walkRoot(walk, root, [])
  else for (const step of plan.steps) walkStep(walk, step)
  const conversions = plan.kind === "write" ? (plan.conversions?.length ?? 0) : 0
  if (conversions > 0)
    parts.push({ place: ["conversions"], points: conversions * prices.computed, records: 0, bytes: 0 })
  return parts
}

/** The size that a plan's value stands for. */
export const sizeOfValue = (value: Value | undefined): number =>
  Array.isArray(value) ? value.length : Number(value)

interface Walk {
  readonly model: Model
  readonly sizeAt: (slot: Slot) => number
  readonly parts: PricedPart[]
}

/** Objects of one kind that the answer may have. */
interface Spot {
  readonly resource: Resource
  readonly place: readonly string[]
  /** How many there are at most. */
  readonly count: number
}

/** Points and bytes of one object, without its related records. */
interface Each {
  points: number
  bytes: number
}

/** Bytes of an object beside its members, with the comma after it. */
const objectBytes = 3
/** Bytes beside a member's key and value: quotes, colon and comma. */
const punctuation = 4

function walkRoot(walk: Walk, root: Root, place: readonly string[]): void {
  const { model } = walk
  match(root, {
    constant: ({ key, charge }) => {
      if (charge) walk.parts.push({ place: [...place, key], ...charge })
    },
    record: ({ resource, members, key }) =>
      walkRecords(
        walk,
        { resource: resourceNamed(model, resource), place: [...place, key], count: 1 },
        members,
      ),
    records: ({ of, key }) => {
      for (const one of of) walkRoot(walk, one, [...place, key])
    },
    object: ({ of, key }) => {
      for (const one of of) walkRoot(walk, one, [...place, key])
    },
    list: ({ resource, list, key }) =>
      walkList(walk, { resource: resourceNamed(model, resource), place: [...place, key], count: 1 }, list),
  })
}

function walkRecords(walk: Walk, spot: Spot, members: readonly Member[]): void {
  const { count, place } = spot
  const each = { points: prices.record, bytes: objectBytes }
  const at = walk.parts.push({ place, points: 0, records: count, bytes: 0 }) - 1
  walkMembers(walk, spot, members, each)
  walk.parts[at] = {
    place,
    records: count,
    points: times(count, each.points),
    bytes: times(count, each.bytes),
  }
}

function walkMembers(walk: Walk, spot: Spot, members: readonly Member[], each: Each): void {
  for (const member of members) {
    each.bytes += member.key.length + punctuation
    walkMember(walk, spot, member, each)
  }
}

function walkMember(walk: Walk, { resource, place, count }: Spot, member: Member, each: Each): void {
  const related = (relation: string): Spot => ({
    resource: targetOf(walk.model, resource, relation),
    place: [...place, member.key],
    count,
  })
  switch (member.kind) {
    case "field":
      priceField(walk.model, resource, fieldNamed(resource, member.field), each)
      break
    case "computed":
      each.points += prices.computed
      each.bytes += textBytes
      break
    case "transitions":
      each.points += prices.transitions
      each.bytes += member.members.length * textBytes
      break
    case "object":
      walkMembers(walk, { resource, place, count }, member.members, each)
      break
    case "one":
      walkRecords(walk, related(member.relation), member.members)
      break
    case "many":
      walkList(walk, related(member.relation), member.list)
      break
    case "constant":
      each.bytes += member.json.length
      break
    default:
      each.bytes += member.kind === "cursor" || member.kind === "secret" ? cursorBytes : idBytes
  }
}

function priceField(model: Model, resource: Resource, field: Field, each: Each): void {
  each.bytes += fieldBytes(field)
  if (field.byCode) each.points += prices.computed
  if (field.computed === undefined) return
  const whole = wholeOf(model)
  const own = resourceNamed(whole, resource.name)
  each.points += prices.figure * relationsBehind(whole, own, wholeField(model, own, field.name)).length
}

/** @param spot as many lists as it counts */
function walkList(walk: Walk, spot: Spot, list: List): void {
  const { count, place } = spot
  const once = { points: listPoints(list), bytes: objectBytes }
  const at = walk.parts.push({ place, points: 0, records: 0, bytes: 0 }) - 1
  const limit = walk.sizeAt(list.page.limit)
  const rows = walkListMembers(walk, list.members, once)
  // A list that is asked for its ends only reads a page for them.
  const paged = rows || withoutObjects(list.members).some(({ kind }) => kind === "page")
  const records = paged ? times(count, Math.max(1, limit)) : 0
  const each = { points: prices.record, bytes: objectBytes }
  if (rows) walkMembers(walk, { ...spot, count: records }, rows, each)
  walk.parts[at] = {
    place,
    records,
    points: times(count, once.points) + times(records, each.points),
    bytes: times(count, once.bytes) + times(records, each.bytes),
  }
}

/** @returns the members of its rows; undefined if none are asked for */
function walkListMembers(
  walk: Walk,
  members: readonly ListMember[],
  once: Each,
): readonly Member[] | undefined {
  const rows: Member[][] = []
  for (const member of members) {
    once.bytes += member.key.length + punctuation
    switch (member.kind) {
      case "rows":
        rows.push([...member.members])
        break
      case "object": {
        const inner = walkListMembers(walk, member.members, once)
        if (inner) rows.push([...inner])
        break
      }
      case "page":
        once.bytes += cursorBytes
        break
      case "total":
        once.points += prices.figure
        once.bytes += numberBytes
        break
      case "aggregate": {
        const measures = measuresIn(member.members)
        once.points += prices.figure + measures * prices.measure
        once.bytes += measures * textBytes
        break
      }
      case "groups": {
        const { by, limit, members: of } = member.groups
        const size = walk.sizeAt(limit)
        once.points += prices.figure + times(size, prices.measure * (1 + measuresIn(of)))
        once.bytes += times(size, (by.length + measuresIn(of)) * textBytes)
        break
      }
      case "constant":
        once.bytes += member.json.length
    }
  }
  return rows.length === 0 ? undefined : rows.flat()
}

const measuresIn = (members: readonly AggregateMember[]): number => withoutObjects(members).length

/** Steps to related records in its condition and order. */
function listPoints({ where, order }: List): number {
  const steps = order.reduce((count, { path }) => count + path.length, where ? stepsIn(where) : 0)
  return steps * prices.step
}

/** A step to related records. */
export const isStep = ({ kind }: Filter): boolean => kind === "related" || kind === "quantified"

const stepsIn = (filter: Filter): number => partsIn(filter).filter(isStep).length

function walkStep(walk: Walk, { writes, answer, call }: Step): void {
  // The number of records that go with a deleted one is unknown: each of these writes counts once.
  const finds = writes.filter((write) => write.kind === "find" && !write.cascade)
  const found = Math.max(1, ...finds.map((write) => ("most" in write ? walk.sizeAt(write.most) : 1)))
  const points = writes.reduce(
    (sum, write) => sum + writePoints(walk.model, write, found),
    call ? prices.call : 0,
  )
  const place = "key" in answer && answer.key !== "" ? [answer.key] : []
  if (points > 0) walk.parts.push({ place: [...place, "write"], points, records: 0, bytes: 0 })
  walkRoot(walk, answer, [])
  for (const given of call?.gives ?? []) if (given.kind !== "output") walkRoot(walk, given, place)
}

/** Checks of rules are free: equal requests cost the same for all callers. */
function writePoints(model: Model, write: Write, found: number): number {
  const isSeveral = ("several" in write && write.several) || ("target" in write && write.target.several)
  const several = isSeveral && !write.cascade ? found : 1
  const each = prices.write + (hooksOf(model, write) ? prices.hook : 0)
  return match(write, {
    find: ({ where }) => stepsIn(where) * prices.step,
    locate: () => 0,
    only: () => 0,
    sum: () => 0,
    insert: () => each,
    upsert: () => each,
    update: ({ looks }) => (looks ? 0 : times(several, each)),
    delete: () => times(several, each),
    link: () => prices.write,
    unlink: () => times(several, prices.write),
    may: () => 0,
    check: () => 0,
    judge: () => 0,
    refers: () => 0,
    collect: () => 0,
  })
}

// Bytes are expectations, as values of a type are on average; declared bounds make them less.
const idBytes = 32
const numberBytes = 12
const textBytes = 64
const cursorBytes = 80

function fieldBytes({ scalar, list, constraints }: Field): number {
  const one = scalarBytes(scalar, constraints.max)
  return list ? 2 + 4 * one : one
}

function scalarBytes(scalar: Field["scalar"], max: number | undefined): number {
  switch (scalar) {
    case "boolean":
      return 5
    case "json":
    case "bytes":
      return 4 * textBytes
    case "text":
    case "email":
    case "url":
      return Math.min(textBytes, max ?? textBytes)
    default:
      return 24
  }
}

// A page of events as a root of a plan: the request prices and limits it with the rest, and the feed answers it.

/** Bytes of an event, as an expectation. */
const eventBytes = 512

/** @param limit events that the page may have */
export const eventsRoot = (key: string, limit: number): Root => ({
  kind: "constant",
  key,
  json: "null",
  charge: { points: prices.record * limit, records: 0, bytes: eventBytes * limit },
})

/** The page alone. */
export const eventsPlan = (model: PlanContext["model"], limit: number): ReadPlan =>
  startDraft({ model, cursors: noCursors }).finish([eventsRoot("events", limit)])

/** Points of a page that has fewer events than it may. */
export const unusedPoints = (limit: number, count: number): number =>
  prices.record * Math.max(0, limit - count)
