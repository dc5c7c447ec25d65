// Addresses: which path means what, by which method. There is one matcher, and openapi.ts describes the same paths.

import { withArticle } from "../../base/article.ts"
import { type Problem, refusal } from "../../base/problem.ts"
import type { Action, Model, Relation, Resource, Transition, Unique } from "../../model/model.ts"
import { apiName, kebabCase } from "../../model/names.ts"
import { hintForPath, listed } from "../../plan/hints.ts"
import { subjectName, transitionsOf } from "../../plan/lookup.ts"
import { hasTransitions, transitions as transitionsSegment } from "../../plan/member.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { type Abilities, abilitiesOf, writeMethods } from "./allowed-methods.ts"
import { decodePercent } from "./query.ts"

export type Route =
  | ReadRoute
  | WriteRoute
  | CallRoute
  | { readonly kind: "batch" }
  | { readonly kind: "description"; readonly of: "openapi" | "asyncapi" }

export type ReadRoute =
  | OfSeveral<"list">
  | OfRecord<"record">
  | OfRecord<"transitions">
  | OfRelated<"related">
  | { readonly kind: "viewer" }
  | { readonly kind: "nodes" }
  | { readonly kind: "node"; readonly id: string }

export type WriteRoute =
  | OfSeveral<"create" | "createMany" | "updateMany" | "deleteMany">
  | OfRecord<"update">
  | OfRecord<"replace">
  | OfRecord<"delete">
  | OfRelated<"createRelated">
  | (OfRecord<"fire"> & OfTransition)
  | (OfSeveral<"fireMany"> & OfTransition)
  | (OfRelated<"link" | "unlink"> & { readonly other: string })

/** An own operation: on a record, or of the service. */
export type CallRoute = { readonly kind: "call"; readonly action: Action } & (
  | { readonly resource: Resource; readonly address: Address }
  | { readonly resource?: never }
)

interface OfSeveral<Kind> {
  readonly kind: Kind
  readonly resource: Resource
}
interface OfRecord<Kind> extends OfSeveral<Kind> {
  readonly address: Address
}
interface OfRelated<Kind> extends OfRecord<Kind> {
  readonly relation: Relation
}

interface OfTransition {
  readonly transition: Transition
}

/** The name of a record in a path: its id, or the values of a unique key. */
export type Address =
  | { readonly kind: "id"; readonly text: string }
  | { readonly kind: "unique"; readonly unique: Unique; readonly values: Readonly<Record<string, string>> }

const methods = ["DELETE", "GET", "PATCH", "POST", "PUT"] as const
/** Routes of an address, by method. */
export type Routes = { readonly [Method in (typeof methods)[number]]?: Route }

/** Routes of a resource, by path segments. */
interface Served {
  readonly list: OfSeveral<"list">
  readonly listRoutes: Routes
  readonly relations: ReadonlyMap<string, Relation>
  readonly transitions: ReadonlyMap<string, Transition>
  readonly actions: ReadonlyMap<string, Action>
  readonly may: Abilities
}

/** The model's resources by the first segment of their paths. */
export type Addresses = ReadonlyMap<string, Served> & {
  readonly viewer: boolean
  readonly operations: ReadonlyMap<string, Action>
}

export function createAddresses(model: Model): Addresses {
  const served = new Map(
    [...model.resources.values()].map((resource): [string, Served] => {
      const list = { kind: "list", resource } as const
      const may = abilitiesOf(model, resource)
      const served = {
        ...{ list, may, listRoutes: listRoutes(list, may) },
        relations: relationSegments(resource),
        transitions: transitionSegments(resource),
        actions: actionSegments(resource.actions),
      }
      return [resource.path, served]
    }),
  )
  const operations = actionSegments(model.operations)
  return Object.assign(served, { viewer: model.audience !== undefined, operations })
}

/** Throws a Refusal when nothing is served under the path, which is below the face's base and still encoded. */
export function findRoutes(addresses: Addresses, path: string): Routes {
  const raw = path.slice(1).split("/")
  if (path.startsWith("//"))
    throw refusal("not_found", "Nothing is served here.", { hint: "A path begins with one slash." })
  const segments = raw.map(decoded)
  const [head = "", second, third] = segments
  if (path.endsWith("/") && path !== "/") {
    throw refusal("not_found", "Nothing is served here.", {
      hint: `Leave the slash at the end out: ${path.slice(0, -1)}`,
    })
  }
  if (head === "openapi.json" && segments.length === 1) return { GET: { kind: "description", of: "openapi" } }
  if (head === "asyncapi.json" && segments.length === 1)
    return { GET: { kind: "description", of: "asyncapi" } }
  if (head === "batch" && segments.length === 1) return { POST: { kind: "batch" } }
  if (head === "viewer" && segments.length === 1 && addresses.viewer) return { GET: { kind: "viewer" } }
  if (head === "nodes" && segments.length === 1) return { GET: { kind: "nodes" } }
  if (head === "nodes" && second !== undefined && segments.length === 2)
    return { GET: { kind: "node", id: second } }
  const operation = head === actionsSegment && segments.length === 2 && addresses.operations.get(second ?? "")
  if (operation) return { POST: { kind: "call", action: operation } }
  const served = addresses.get(head)
  if (!served) throw unknownPath(head, [...addresses.keys(), "batch", "nodes"])
  const { list, may } = served
  const { resource } = list
  if (second === undefined) return served.listRoutes
  if (segments.length === 2) {
    const named = namedRoutes(served, second)
    if (resource.key) return { ...recordRoutes(resource, readAddress(resource, raw[1] ?? ""), may), ...named }
    if (named.POST) return named
    throw refusal("not_found", `Single ${resource.collection} have no address: they have no key.`, {
      hint: `Filter the list: /${resource.path}?filter[…]=…`,
    })
  }
  const below: Below = { served, address: readAddress(resource, raw[1] ?? ""), segments: segments.slice(2) }
  // The names of operations on several records stand in the place of the id.
  const several = second === transitionsSegment ? severalRoutes(served, below.segments) : undefined
  if (!several) return routesBelow(below)
  return served.relations.has(third ?? "") ? { ...routesBelow(below), ...several } : several
}

/** Path segments after a record's address. */
interface Below {
  readonly served: Served
  readonly address: Address
  readonly segments: readonly string[]
}

function routesBelow(below: Below): Routes {
  const { served, address, segments } = below
  const { relations, actions, may } = served
  const { resource } = served.list
  const [third = "", fourth] = segments
  if (third === actionsSegment && actions.size > 0) return actionRoutes(below)
  if (third === transitionsSegment && hasTransitions(resource)) return transitionRoutes(below)
  const relation = relations.get(third)
  if (!resource.key || !relation) throw unknownPath(third, knownBelow(served, address))
  const of = { resource, address, relation }
  if (fourth === undefined)
    return {
      GET: { kind: "related", ...of },
      ...(may.createRelated.has(relation.name) && { POST: { kind: "createRelated", ...of } }),
    }
  if (segments.length === 2 && may.link.has(relation.name))
    return { PUT: { kind: "link", ...of, other: fourth }, DELETE: { kind: "unlink", ...of, other: fourth } }
  throw refusal("not_found", `Nothing is served under ${quoteInput(fourth)}.`, {
    hint: "A record has one address, below the path of its own resource.",
  })
}

/** Segments that may follow an address; transitions after `/orders/transitions`, which may have been meant for several. */
function actionRoutes({ served, address, segments: [, name, ...more] }: Below): Routes {
  if (name === undefined)
    throw refusal(
      "not_found",
      `Operations on ${withArticle(apiName(served.list.resource))} are not listed here.`,
      {
        hint: `Each has its own address, below this one: ${listed([...served.actions.keys()], "and")}.`,
      },
    )
  const action = more.length === 0 ? served.actions.get(name) : undefined
  if (!action) throw unknownPath(name, served.actions.keys())
  return { POST: { kind: "call", action, resource: served.list.resource, address } }
}

const knownBelow = ({ relations, list, transitions }: Served, address: Address): readonly string[] => [
  ...relations.keys(),
  ...(hasTransitions(list.resource) ? [transitionsSegment] : []),
  ...(address.kind === "id" && address.text === transitionsSegment ? transitions.keys() : []),
]

/** `/orders/{id}/transitions`, and below it the name of one. */
function transitionRoutes({ served, address, segments }: Below): Routes {
  const { resource } = served.list
  const [, name, more] = segments
  if (name === undefined) return { GET: { kind: "transitions", resource, address } }
  const transition = served.transitions.get(name)
  if (!transition || more !== undefined) throw unknownPath(more ?? name, served.transitions.keys())
  return { POST: { kind: "fire", resource, address, transition } }
}

/** `/orders/transitions/pay`; undefined when there is no such transition. */
function severalRoutes({ list: { resource }, transitions }: Served, segments: readonly string[]) {
  const [name = "", more] = segments
  const transition = transitions.get(name)
  if (!transition || more !== undefined || resource.needsVersion) return undefined
  return { POST: { kind: "fireMany", resource, transition } } as const satisfies Routes
}

function listRoutes(list: Served["list"], may: Abilities): Routes {
  const { resource } = list
  const writes = may.list.map((kind) => [writeMethods[kind].method, { kind, resource }])
  return { GET: list, ...Object.fromEntries(writes) }
}

/** The last segment of the address that creates several records. */
export const bulkSegment = "bulk"

/** Names in the place of an id, below which only POST means something. */
function namedRoutes({ list, may }: Served, segment: string): Routes {
  const { resource } = list
  if (segment === "query") return { POST: list }
  return segment === bulkSegment && may.createMany ? { POST: { kind: "createMany", resource } } : {}
}

function recordRoutes(resource: Resource, address: Address, may: Abilities): Routes {
  const routes: { -readonly [Method in keyof Routes]: Routes[Method] } = {
    GET: { kind: "record", resource, address },
  }
  for (const kind of may.record[address.kind]) routes[writeMethods[kind].method] = { kind, resource, address }
  return routes
}

/** The route for a method; HEAD is GET. Undefined when the path has no such method. */
export function routeFor(routes: Routes, method: string): Route | undefined {
  const own = methods.find((known) => known === (method === "HEAD" ? "GET" : method))
  return own && routes[own]
}

export function isRead(route: Route): route is ReadRoute {
  const { kind } = route
  return ["list", "record", "related", "transitions", "viewer", "nodes", "node"].includes(kind)
}

/** The value of `Allow` (RFC 9110 section 10.2.1). */
export function allowedMethods(routes: Routes): string {
  const allowed = methods.filter((method) => routes[method] !== undefined)
  return [...allowed, ...(routes.GET ? ["HEAD"] : []), "OPTIONS"].sort().join(", ")
}

/** Relations by their path segment: `/orders/{id}/billing-address`. */
export const relationSegments = ({ relations }: Resource): ReadonlyMap<string, Relation> =>
  segmentsOf(relations.values())

/** Transitions by theirs: `/orders/{id}/transitions/mark-paid`. */
export const transitionSegments = (resource: Resource): ReadonlyMap<string, Transition> =>
  segmentsOf(transitionsOf(resource))

function segmentsOf<Named extends { readonly name: string }>(
  all: Iterable<Named>,
): ReadonlyMap<string, Named> {
  const segments = new Map<string, Named>()
  for (const one of all) {
    const segment = kebabCase(one.name)
    segments.set(segments.has(segment) ? one.name : segment, one)
  }
  return segments
}

/** The path of operations and actions. */
export const actionsSegment = "actions"

/** Own operations by their path segment: `/orders/{id}/actions/apply-coupon`. */
const actionSegments = (actions: Resource["actions"]): ReadonlyMap<string, Action> =>
  new Map([...(actions?.values() ?? [])].map((action) => [kebabCase(action.name), action]))

/** `number=A-1`, `year=2026,number=7`: `=` and `,` stand unencoded, so an id that holds them is written with %3D and %2C. */
function readAddress(resource: Resource, raw: string): Address {
  if (!raw.includes("=")) return { kind: "id", text: decoded(raw) }
  const values: Record<string, string> = Object.create(null)
  const pairs = raw.split(",").map((pair) => pair.split("="))
  for (const [name, value] of pairs)
    if (name !== undefined && value !== undefined) values[decoded(name)] = decoded(value)
  const unique = resource.uniques.find((candidate) => {
    const names = candidate.members.map((member) => subjectName(resource, member))
    return names.length === pairs.length && names.every((name) => name in values)
  })
  return unique && pairs.every((pair) => pair.length === 2)
    ? { kind: "unique", unique, values }
    : { kind: "id", text: decoded(raw) }
}

function decoded(segment: string): string {
  if (!segment.includes("%")) return segment
  const text = decodePercent(segment)
  if (text !== undefined) return text
  throw refusal("malformed_request", `${quoteInput(segment)} in the path is not percent-encoded UTF-8.`, {
    hint: "A literal % is written %25.",
  })
}

function unknownPath(segment: string, known: Iterable<string>): Error {
  const hint = hintForPath(segment, [...known]) ?? "GET /openapi.json names everything that is served."
  const rest: Omit<Problem, "code" | "message"> = { hint }
  const where = segment === "" ? "here" : `under ${quoteInput(segment)}`
  return refusal("not_found", `Nothing is served ${where}.`, rest)
}
