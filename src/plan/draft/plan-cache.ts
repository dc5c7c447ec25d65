// Plans by their shape. A planner asks a request only by `ask`, so that the shape follows from what it planned before
// and the answers to its questions. Questions and answers are kept as a tree whose leaves are what was planned: a
// request that gives the same answers again gets the same plan, with its own values bound, and nothing is planned.
import type { Budgeted, CacheBudget } from "../../base/caches.ts"
import { invariant } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Filter, Groups, Keyset, OrderTerm, Page, RecordRoot, Value } from "../read-plan.ts"
import type { Places, Setting, Write } from "../write-plan.ts"
import type { Draft } from "./draft.ts"

export interface Question<Request, Piece> {
  /**
   * Asks this request and no other, and binds its values in this draft and no other. Nothing of the request's is in
   * the piece but what the key tells; mistakes are in the draft's problems.
   */
  read(draft: Draft, request: Request): Piece
  /** Equal keys: pieces that are as good as each other for whatever is planned next. */
  keyOf(piece: Piece): string
  /** The piece and what it binds are the same for every request: they are read once. */
  readonly constant?: boolean
}

export type Ask<Request> = <Piece>(question: Question<Request, Piece>) => Piece

export interface Shapes<Request, Planned> {
  /** Binds the request's values. Undefined when nothing of this shape is kept, or when the request has a mistake. */
  find(draft: Draft, request: Request): Planned | undefined
  /** Plans, and keeps what is planned unless that throws. The draft must be a new one. */
  plan(draft: Draft, request: Request, plan: (ask: Ask<Request>) => Planned): Planned
  /** How many shapes are kept, and how much they weigh together. */
  readonly count: number
  readonly weight: number
}

interface ShapeBounds<Planned> {
  readonly count: number
  readonly weight: number
  /** In the unit of the bound. */
  weigh(planned: Planned): number
}

type Node<Request, Planned> =
  | {
      readonly kind: "asked"
      readonly read: Read<Request>
      readonly answers: Map<string, Node<Request, Planned>>
    }
  | { readonly kind: "bound"; readonly values: readonly Value[]; next?: Node<Request, Planned> }
  | { readonly kind: "planned"; readonly planned: Planned }

/** Gives the key of the piece. */
type Read<Request> = (draft: Draft, request: Request) => string

type Step<Request> =
  | { readonly kind: "asked"; readonly read: Read<Request>; readonly key: string }
  | { readonly kind: "bound"; readonly values: readonly Value[] }

/**
 * With one more than there is room for, all are forgotten: those that are still asked come back.
 * @param budget of all caches, where weights are bytes and are not part of another cache's
 */
export function createShapes<Request, Planned>(
  bounds: ShapeBounds<Planned>,
  budget?: CacheBudget,
): Shapes<Request, Planned> {
  let root: Node<Request, Planned> | undefined
  let count = 0
  let weight = 0
  const keep = (steps: readonly Step<Request>[], planned: Planned): void => {
    const added = bounds.weigh(planned)
    if (added > bounds.weight) return
    if (count + 1 > bounds.count || weight + added > bounds.weight) forget()
    root = grow(root, steps, { kind: "planned", planned })
    count += 1
    weight += added
    budget?.changed(added)
  }
  const forget = (): void => {
    const before = weight
    root = undefined
    count = 0
    weight = 0
    budget?.changed(-before)
  }
  const shapes: Shapes<Request, Planned> & Budgeted = {
    find: (draft, request) => root && follow(root, draft, request),
    plan(draft, request, plan) {
      const { ask, end } = recordSteps(draft, request)
      const planned = plan(ask)
      keep(end(), planned)
      return planned
    },
    get count() {
      return count
    },
    get weight() {
      return weight
    },
    shed: forget,
  }
  budget?.add(shapes)
  return shapes
}

function follow<Request, Planned>(
  root: Node<Request, Planned>,
  draft: Draft,
  request: Request,
): Planned | undefined {
  let node: Node<Request, Planned> | undefined = root
  while (node) {
    switch (node.kind) {
      case "planned":
        return draft.problems.found.length === 0 ? node.planned : undefined
      case "bound":
        for (const value of node.values) draft.bind(value)
        node = node.next
        break
      case "asked":
        node = node.answers.get(node.read(draft, request))
    }
  }
  return undefined
}

interface Recorded<Request> {
  readonly ask: Ask<Request>
  /** Nothing can be asked afterwards; the request is let go. */
  end(): readonly Step<Request>[]
}

function recordSteps<Request>(draft: Draft, request: Request): Recorded<Request> {
  const steps: Step<Request>[] = []
  // Plans are kept with their questions; what they were first asked of is not.
  let first: { readonly draft: Draft; readonly request: Request } | undefined = { draft, request }
  return {
    ask({ read, keyOf, constant }) {
      invariant(first, "a plan that is finished asks nothing")
      const before = first.draft.values.length
      const piece = read(first.draft, first.request)
      if (!constant) {
        steps.push({ kind: "asked", read: (...of) => keyOf(read(...of)), key: keyOf(piece) })
      } else if (first.draft.values.length > before) {
        steps.push({ kind: "bound", values: first.draft.values.slice(before) })
      }
      return piece
    },
    end() {
      first = undefined
      return steps
    },
  }
}

/** The tree with a path for these steps. What is planned from equal answers is the same, so the newer one stays. */
function grow<Request, Planned>(
  root: Node<Request, Planned> | undefined,
  steps: readonly Step<Request>[],
  leaf: Node<Request, Planned>,
): Node<Request, Planned> {
  let top = root
  let attach = (node: Node<Request, Planned>): void => {
    top = node
  }
  let next = root
  for (const step of steps) {
    const node: Node<Request, Planned> =
      next ?? (step.kind === "asked" ? { kind: "asked", read: step.read, answers: new Map() } : { ...step })
    if (!next) attach(node)
    if (node.kind === "asked" && step.kind === "asked") {
      next = node.answers.get(step.key)
      attach = (inner) => void node.answers.set(step.key, inner)
    } else if (node.kind === "bound") {
      next = node.next
      attach = (inner) => {
        node.next = inner
      }
    }
  }
  attach(leaf)
  return top ?? leaf
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

// Keys of writes (those of reads stand above): equal keys mean writes that differ in bound values only.

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
