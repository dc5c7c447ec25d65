// Addresses: which path means what, by which method. There is one matcher, and openapi.ts describes the same paths.
import { type Problem, refusal } from "../../base/problem.ts"
import type { Model, Relation, Resource, Unique } from "../../model/model.ts"
import { kebabCase } from "../../model/names.ts"
import { subjectName } from "../../plan/names.ts"
import { hintFor } from "../../plan/naming.ts"
import { shown } from "../../plan/shown.ts"
import { decodePercent } from "./query.ts"

export type Route =
  | { readonly kind: "list"; readonly resource: Resource }
  | { readonly kind: "record"; readonly resource: Resource; readonly address: Address }
  | {
      readonly kind: "related"
      readonly resource: Resource
      readonly address: Address
      readonly relation: Relation
    }
  | { readonly kind: "nodes" }
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "openapi" }

/** What names a record in a path: its id, or the values of a unique key. */
export type Address =
  | { readonly kind: "id"; readonly text: string }
  | { readonly kind: "unique"; readonly unique: Unique; readonly values: Readonly<Record<string, string>> }

/** The same address by GET, and by POST with the question in the body. */
export interface Routes {
  readonly GET?: Route
  readonly POST?: Route
}

/** What is served of a resource, by path segments. */
interface Served {
  readonly list: Extract<Route, { readonly kind: "list" }>
  readonly relations: ReadonlyMap<string, Relation>
}

/** The model's resources by the first segment of their paths. */
export type Addresses = ReadonlyMap<string, Served>

export function createAddresses(model: Model): Addresses {
  return new Map(
    [...model.resources.values()].map((resource): [string, Served] => [
      resource.path,
      { list: { kind: "list", resource }, relations: relationSegments(resource) },
    ]),
  )
}

/** Throws a Refusal when nothing is served under the path, which is below the face's base and still encoded. */
export function findRoutes(addresses: Addresses, path: string): Routes {
  const raw = path.slice(1).split("/")
  const segments = raw.map(decoded)
  const [head = "", second, third] = segments
  if (path.endsWith("/") && path !== "/") {
    throw refusal("not_found", "Nothing is served here.", {
      hint: `Leave the slash at the end out: ${path.slice(0, -1)}`,
    })
  }
  if (head === "openapi.json" && segments.length === 1) return { GET: { kind: "openapi" } }
  if (head === "nodes" && segments.length === 1) return { GET: { kind: "nodes" } }
  if (head === "nodes" && second !== undefined && segments.length === 2)
    return { GET: { kind: "node", id: second } }
  const served = addresses.get(head)
  if (!served) throw unknownPath(head, [...addresses.keys(), "nodes"])
  const { list, relations } = served
  const { resource } = list
  if (second === undefined) return { GET: list }
  if (segments.length === 2) {
    const query: Routes = second === "query" ? { POST: list } : {}
    if (resource.key)
      return { GET: { kind: "record", resource, address: readAddress(resource, raw[1] ?? "") }, ...query }
    if (query.POST) return query
    throw refusal("not_found", `Single ${resource.collection} have no address: they have no key.`, {
      hint: `Filter the list: /${resource.path}?filter[…]=…`,
    })
  }
  const relation = relations.get(third ?? "")
  if (!resource.key || !relation) throw unknownPath(third ?? "", relations.keys())
  if (segments.length > 3)
    throw refusal("not_found", `Nothing is served under ${shown(segments[3])}.`, {
      hint: "A record has one address, below the path of its own resource.",
    })
  return { GET: { kind: "related", resource, address: readAddress(resource, raw[1] ?? ""), relation } }
}

/** The route for a method; HEAD is GET. Undefined when the path has no such method. */
export function routeFor(routes: Routes, method: string): Route | undefined {
  if (method === "GET" || method === "HEAD") return routes.GET
  return method === "POST" ? routes.POST : undefined
}

/** The value of `Allow` (RFC 9110 section 10.2.1). */
export function allowedMethods(routes: Routes): string {
  return [...(routes.GET ? ["GET", "HEAD"] : []), "OPTIONS", ...(routes.POST ? ["POST"] : [])].join(", ")
}

/** Relations by their path segment: `/orders/{id}/billing-address`. */
export function relationSegments(resource: Resource): ReadonlyMap<string, Relation> {
  const segments = new Map<string, Relation>()
  for (const relation of resource.relations.values()) {
    const segment = kebabCase(relation.name)
    segments.set(segments.has(segment) ? relation.name : segment, relation)
  }
  return segments
}

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
  throw refusal("malformed_request", `${shown(segment)} in the path is not percent-encoded UTF-8.`, {
    hint: "A literal % is written %25.",
  })
}

function unknownPath(segment: string, known: Iterable<string>): Error {
  const hint = hintFor(segment, known) ?? "GET /openapi.json names everything that is served."
  const rest: Omit<Problem, "code" | "message"> = { hint }
  return refusal("not_found", `Nothing is served under ${shown(segment)}.`, rest)
}
