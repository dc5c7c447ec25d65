// Plans by their shape. A planner asks a request only by `ask`, so that the shape follows from what it planned before
// and the answers to its questions. A tree keeps questions and answers; its leaves are plans. A request that gives the
// same answers again gets the same plan, with its own values bound.
import type { Entry, RequestCache } from "../../base/caches.ts"
import { invariant } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Filter, Groups, Keyset, OrderTerm, Page, RecordRoot, Value } from "../read-plan.ts"
import type { Places, Setting, Write } from "../write-plan.ts"
import type { Draft } from "./draft.ts"

export interface Question<Request, Piece> {
  /**
   * Reads only this request, and binds its values only in this draft. The piece contains no part of the request that the key
   * does not show; mistakes are in the draft's problems.
   */
  read(draft: Draft, request: Request): Piece
  /** Equal keys: pieces that are as good as each other for whatever is planned next. */
  keyOf(piece: Piece): string
  /** The piece and what it binds are the same for every request: they are read once. */
  readonly constant?: boolean
}

export type Ask<Request> = <Piece>(question: Question<Request, Piece>) => Piece

export interface Shapes<Request, Planned> {
  /** Binds the request's values. Undefined when no plan of this shape is kept, or when the request has a mistake. */
  find(draft: Draft, request: Request): Planned | undefined
  /** Plans, and keeps the plan. The draft must be a new one. */
  plan(draft: Draft, request: Request, plan: (ask: Ask<Request>) => Planned): Planned
}

/** A question, with the answer to it. */
interface Step<Request> {
  /** Bound before it: the same for every request. */
  readonly values: readonly Value[]
  /** Gives the key of the piece. */
  readonly read: (draft: Draft, request: Request) => string
  readonly key: string
}

/** The question that is next after certain answers. */
interface Branch<Request, Planned> extends Omit<Step<Request>, "key"> {
  readonly kind: "branch"
  readonly answers: Map<string, Branch<Request, Planned> | Leaf<Planned>>
  readonly from?: Spot<Request, Planned>
}

interface Spot<Request, Planned> {
  readonly branch: Branch<Request, Planned>
  readonly key: string
}

interface Leaf<Planned> extends Entry {
  readonly kind: "leaf"
  /** Bound after the last question. */
  readonly values: readonly Value[]
  readonly planned: Planned
}

/** Estimated bytes of a plan's roots or steps, with the statement that the engine keeps with them. */
export const weigh = (shape: unknown): number => 2_000 + 20 * JSON.stringify(shape).length

/** @param weighPlanned bytes */
export function createShapes<Request, Planned>(
  cache: RequestCache,
  weighPlanned: (planned: Planned) => number = weigh,
): Shapes<Request, Planned> {
  const root: Branch<Request, Planned> = { kind: "branch", values: [], read: () => "", answers: new Map() }
  return {
    find: (draft, request) => follow(root, draft, request),
    plan(draft, request, plan) {
      const { ask, end } = recordSteps(draft, request)
      const planned = plan(ask)
      const { steps, values } = end()
      const place = grow(root, steps)
      const { answers } = place.branch
      const before = answers.get(place.key)
      // Equal answers lead to equal plans: the newer one stays.
      if (before?.kind === "leaf") cache.remove(before)
      const forget = (): void => prune(place)
      const weight = weighPlanned(planned)
      const leaf: Leaf<Planned> = { kind: "leaf", values, planned, weight, used: false, forget }
      answers.set(place.key, leaf)
      cache.add(leaf)
      return planned
    },
  }
}

function follow<Request, Planned>(
  root: Branch<Request, Planned>,
  draft: Draft,
  request: Request,
): Planned | undefined {
  let node: Branch<Request, Planned> | Leaf<Planned> | undefined = root
  while (node) {
    for (const value of node.values) draft.bind(value)
    if (node.kind === "leaf") {
      if (draft.problems.found.length > 0) return undefined
      node.used = true
      return node.planned
    }
    node = node.answers.get(node.read(draft, request))
  }
  return undefined
}

/** The place for a plan after these steps. */
function grow<Request, Planned>(
  root: Branch<Request, Planned>,
  steps: readonly Step<Request>[],
): Spot<Request, Planned> {
  let place: Spot<Request, Planned> = { branch: root, key: "" }
  for (const { values, read, key } of steps) {
    const { answers } = place.branch
    const known = answers.get(place.key)
    const fresh = { kind: "branch", values, read, answers: new Map(), from: place } as const
    const branch = known?.kind === "branch" ? known : fresh
    answers.set(place.key, branch)
    place = { branch, key }
  }
  return place
}

/** Removes the plan at a place, with the branches that lead nowhere else. */
function prune<Request, Planned>(place: Spot<Request, Planned>): void {
  let left: Spot<Request, Planned> | undefined = place
  while (left) {
    const { branch, key }: Spot<Request, Planned> = left
    branch.answers.delete(key)
    left = branch.answers.size === 0 ? branch.from : undefined
  }
}

interface Recorded<Request> {
  readonly ask: Ask<Request>
  /** Ends the questions, and releases the request. Gives values that are bound after the last question, too. */
  end(): { readonly steps: readonly Step<Request>[]; readonly values: readonly Value[] }
}

function recordSteps<Request>(draft: Draft, request: Request): Recorded<Request> {
  const steps: Step<Request>[] = []
  let values: Value[] = []
  // Plans are kept with their questions, without the first request.
  let first: { readonly draft: Draft; readonly request: Request } | undefined = { draft, request }
  return {
    ask({ read, keyOf, constant }) {
      invariant(first, "a plan that is finished asks nothing")
      const before = first.draft.values.length
      const piece = read(first.draft, first.request)
      if (constant) {
        for (const value of first.draft.values.slice(before)) values.push(value)
      } else {
        steps.push({ values, read: (...of) => keyOf(read(...of)), key: keyOf(piece) })
        values = []
      }
      return piece
    },
    end() {
      first = undefined
      return { steps, values }
    },
  }
}

// Keys of what plans are pieced together from: equal keys mean pieces that differ in bound values only.
// Names of a model hold letters and digits only, so that none of these signs can be part of one.

export function filterKey(filter: Filter | undefined): string {
  return filter === undefined ? "" : textOf(filter)
}

const textOf = (filter: Filter): string =>
  match(filter, {
    and: ({ of }) => `&(${severalOf(of)})`,
    or: ({ of }) => `|(${severalOf(of)})`,
    not: ({ of }) => `!${textOf(of)}`,
    compare: ({ subject, operator, operand }) => `${subjectKey(subject)}${operator}${operand.slot};`,
    isNull: ({ subject, is }) => `${subjectKey(subject)}${is ? "null" : "given"};`,
    related: ({ relation, of }) => `${relation}(${textOf(of)})`,
    quantified: ({ relation, quantifier, of }) => `${relation}.${quantifier}(${textOf(of)})`,
    together: ({ relation }) => `${relation}.together;`,
    settled: ({ slot }) => `settled${slot};`,
  })

function severalOf(filters: readonly Filter[]): string {
  let text = ""
  for (const filter of filters) text += textOf(filter)
  return text
}

function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case "id":
      return "#:"
    case "field":
      return `${subject.field}:`
    case "reference":
      return `@${subject.relation}:`
  }
}

export function orderKey(order: readonly OrderTerm[]): string {
  let text = ""
  for (const { path, subject, descending, nulls = "" } of order) {
    const member = subject.kind === "row" ? "*:" : subjectKey(subject)
    text += `${path.join(".")}>${member}${descending ? "-" : "+"}${nulls};`
  }
  return text
}

export function pageKey({ direction, limit, atMost, after, before }: Page): string {
  return `${direction}${limit.slot}/${atMost}${after ? `>${keysetKey(after)}` : ""}${before ? `<${keysetKey(before)}` : ""}`
}

const keysetKey = (keyset: Keyset): string => keyset.map((slot) => slot?.slot ?? "-").join()

export function recordKey(by: RecordRoot["by"] | "missing"): string {
  if (by === "missing") return "-"
  let text = ""
  for (const { subject, slot, former } of by) text += `${former ? "=" : ""}${subjectKey(subject)}${slot};`
  return text
}

export function groupsKey(groups: Omit<Groups, "members"> | undefined): string {
  return groups ? `${groups.by.map(subjectKey).join("")}${groups.limit.slot}` : "-"
}

// Keys of writes (keys of reads stand above): equal keys mean writes that differ in bound values only.

/** Common writes have a short form; all others, or those with more to them, are JSON, which begins otherwise. */
export function writeKey(write: Write): string {
  if (write.kind === "insert" && isSpelt(write, inInsert)) {
    const { resource, place, sets, key, keyFrom, begins } = write
    const version = begins ? `@${begins.slot}` : ""
    return `+${resource}${placeKey(place)}${version} ${keyFrom}${key.slot}=${settingsKey(sets)}`
  }
  if (write.kind === "update" && isSpelt(write, inUpdate) && isSpelt(write.target, inTarget)) {
    const { resource, place, places, target, sets, match } = write
    const version = `${match ? `@${match.slot}` : ""}${places ? placesKey(places) : ""}`
    return `~${resource}${placeKey(place)}${version} ${recordKey(target.by)}=${settingsKey(sets)}`
  }
  return JSON.stringify(write)
}

const inInsert: ReadonlySet<string> = new Set([
  "kind",
  "resource",
  "place",
  "sets",
  "key",
  "keyFrom",
  "begins",
])
const inUpdate: ReadonlySet<string> = new Set([
  "kind",
  "resource",
  "place",
  "places",
  "target",
  "sets",
  "match",
])
const inTarget: ReadonlySet<string> = new Set(["by"])

function isSpelt(of: object, names: ReadonlySet<string>): boolean {
  for (const name in of) if (!names.has(name)) return false
  return true
}

/** Response keys are a client's words: with its length before it, none can pass for something else. */
function placeKey(place: Place): string {
  let text = ""
  for (const step of place) text += typeof step === "number" ? `.${step}` : `/${step.length}:${step}`
  return text
}

const placesKey = ({ record = [], version = [], noVersion = [] }: Places): string =>
  `(${placeKey(record)}|${placeKey(version)}|${placeKey(noVersion)})`

function settingsKey(sets: readonly Setting[]): string {
  let text = ""
  for (const { subject, slot, byDefault, made, stays } of sets)
    text += `${subjectKey(subject)}${slot}${stays ? `=${stays.slot}` : ""}${byDefault ? "*" : made ? "!" : ";"}`
  return text
}
