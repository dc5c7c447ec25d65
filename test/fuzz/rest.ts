// Random requests by REST: one that fits for each address and method that the service may have.

import type { Resource } from "../../src/model/model.ts"
import { kebabCase } from "../../src/model/names.ts"
import { isSortable } from "../../src/model/operators.ts"
import { transitionsOf } from "../../src/plan/lookup.ts"
import { relationSegments, transitionSegments } from "../../src/rest/http/route.ts"
import type { Asking, FuzzRequest, Json } from "./request.ts"
import { conditionOf, type Draw, fieldValue, idOf, inputOf } from "./values.ts"

type Parts = Pick<FuzzRequest, "method" | "path"> & Partial<FuzzRequest> & { readonly template?: string }

const jsonType = ["content-type", "application/json"] as const

export function restRequest(draw: Draw, as: Asking): FuzzRequest {
  const { random } = draw
  const parts = random.percent(10) ? serviceRequest(draw) : resourceRequest(draw, resourceOf(draw))
  const { template = parts.path, ...rest } = parts
  return {
    as,
    query: [],
    body: undefined,
    ...rest,
    door: `${parts.method} ${template}`,
    headers: [
      ...(parts.headers ?? []),
      ...(parts.body === undefined || parts.headers?.some(([name]) => name === "content-type")
        ? []
        : [jsonType]),
      ...preferences(draw),
    ],
  }
}

/** Most often one that whoever asks sees something of. */
const resourceOf = ({ random, model, world }: Draw): Resource =>
  random.one([...(model.resources.size === 0 || random.percent(10) ? world.model : model).resources.values()])

function preferences({ random }: Draw): (readonly [string, string])[] {
  if (random.percent(75)) return []
  return [
    random.one([
      ["prefer", "return=minimal"],
      ["prefer", "count=exact"],
      ["prefer", "max-affected=1000"],
      ["accept", "application/json"],
      ["if-none-match", '"1"'],
      ["idempotency-key", `${random.whole(2 ** 31)}-${random.whole(2 ** 31)}`],
    ] as const),
  ]
}

function serviceRequest(draw: Draw): Parts {
  const { random, world } = draw
  const ids = [...world.ids.values()].flat()
  const kinds: (() => Parts)[] = [
    () => ({ method: "GET", path: "/openapi.json" }),
    () => ({ method: "GET", path: "/viewer" }),
    () => ({ method: "GET", path: "/nodes", query: [["ids", [random.one(ids), random.one(ids)].join()]] }),
    () => ({ method: "GET", path: `/nodes/${encodeURIComponent(random.one(ids))}`, template: "/nodes/{id}" }),
    () => ({ method: "POST", path: "/actions/greet", body: { name: random.one(["Ada", "é"]) } }),
    () => ({ method: "POST", path: "/batch", body: batch(draw) }),
  ]
  return random.one(kinds)()
}

function batch(draw: Draw): Json {
  const { random } = draw
  const requests = Array.from({ length: 1 + random.whole(3) }, (_, index): Json => {
    const { method, path, body, query = [] } = resourceRequest(draw, resourceOf(draw))
    const text = query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")
    return {
      ...(random.percent(30) && { id: `r${index}` }),
      method,
      path: text === "" ? path : `${path}?${text}`,
      ...(body !== undefined && !(body instanceof Uint8Array) && { body }),
    }
  })
  return { requests }
}

function resourceRequest(draw: Draw, resource: Resource): Parts {
  const { random } = draw
  const kinds = [
    ...(resource.key ? [recordRead, relatedRead, update, replace, remove, fire] : []),
    list,
    query,
    create,
    updateSeveral,
    removeSeveral,
    fireSeveral,
    ...(resource.key ? [relatedCreate, link, act] : []),
  ]
  return random.one(kinds)(draw, resource)
}

type Make = (draw: Draw, resource: Resource) => Parts

const address = (draw: Draw, resource: Resource): { readonly path: string; readonly template: string } => ({
  path: `/${resource.path}/${encodeURIComponent(idOf(draw, resource))}`,
  template: `/${resource.path}/{id}`,
})

/** Of the record itself, by its id or a unique field. */
function recordAddress(draw: Draw, resource: Resource): ReturnType<typeof address> {
  const [field, values = []] = draw.world.uniques.get(resource.name) ?? []
  if (field === undefined || draw.random.percent(60)) return address(draw, resource)
  return {
    path: `/${resource.path}/${field}=${encodeURIComponent(draw.random.one(values))}`,
    template: `/${resource.path}/${field}={${field}}`,
  }
}

/** Members of the answer. */
function selected(
  { random }: Draw,
  { fields, relations, computed }: Resource,
): (readonly [string, string])[] {
  const names = [...fields.keys(), ...(computed?.keys() ?? [])]
  return [
    ...(random.percent(25) ? [["fields", random.some(names, 40).join() || "id"] as const] : []),
    ...(random.percent(25) && relations.size > 0
      ? [["include", random.one([...relations.keys()])] as const]
      : []),
  ]
}

const list: Make = (draw, resource) => {
  const { random, world } = draw
  const sortable = [...resource.fields.values()].filter(isSortable).map(({ name }) => name)
  const cursors = world.cursors.get(resource.name) ?? []
  const asked: (readonly [string, string])[] = selected(draw, resource)
  if (random.percent(50)) asked.push(["filter", JSON.stringify(conditionOf(draw, resource))])
  if (random.percent(30) && sortable.length > 0)
    asked.push(["sort", `${random.one(["", "-"])}${random.one(sortable)}`])
  if (random.percent(40)) asked.push(["limit", String(random.whole(20))])
  if (random.percent(15)) asked.push(["total", "true"])
  if (random.percent(10) && cursors.length > 0 && !asked.some(([name]) => name === "sort"))
    asked.push([random.one(["after", "before"]), random.one(cursors)])
  if (random.percent(10)) asked.push(["aggregate", "count"])
  const accept = random.percent(10) ? random.one(["text/csv", "application/x-ndjson"]) : undefined
  return {
    method: random.percent(5) ? "HEAD" : "GET",
    path: `/${resource.path}`,
    query: asked,
    ...(accept && { headers: [["accept", accept]] }),
  }
}

const query: Make = (draw, resource) => {
  const { random } = draw
  return {
    method: "POST",
    path: `/${resource.path}/query`,
    body: {
      ...(random.percent(70) && { filter: conditionOf(draw, resource) }),
      ...(random.percent(40) && { limit: random.whole(20) }),
      ...(random.percent(20) && { total: true }),
      ...(random.percent(20) && { fields: random.some([...resource.fields.keys()], 40) }),
    },
  }
}

const recordRead: Make = (draw, resource) => {
  const { random } = draw
  if (transitionsOf(resource).length > 0 && random.percent(20)) {
    const at = address(draw, resource)
    return { method: "GET", path: `${at.path}/transitions`, template: `${at.template}/transitions` }
  }
  return {
    method: random.percent(5) ? "HEAD" : "GET",
    ...recordAddress(draw, resource),
    query: selected(draw, resource),
  }
}

const relatedRead: Make = (draw, resource) => {
  const at = address(draw, resource)
  const segments = [...relationSegments(resource).keys()]
  if (segments.length === 0) return recordRead(draw, resource)
  const segment = draw.random.one(segments)
  return { method: "GET", path: `${at.path}/${segment}`, template: `${at.template}/${segment}` }
}

const create: Make = (draw, resource) => ({
  method: "POST",
  path: `/${resource.path}`,
  query: selected(draw, resource),
  body: draw.random.percent(20)
    ? [inputOf(draw, resource, "create"), inputOf(draw, resource, "create")]
    : inputOf(draw, resource, "create"),
})

const versions = ({ random }: Draw, { needsVersion }: Resource): (readonly [string, string])[] =>
  random.percent(needsVersion ? 80 : 10) ? [["if-match", random.one(["*", '"1"', '"2"'])]] : []

const update: Make = (draw, resource) => {
  const body = inputOf(draw, resource, "update")
  const patch = draw.random.percent(20)
  const operations = Object.entries(body as Readonly<Record<string, Json>>).map(
    ([name, value]): Json => ({ op: "replace", path: `/${name}`, value }),
  )
  return {
    method: "PATCH",
    ...recordAddress(draw, resource),
    query: selected(draw, resource),
    body: patch ? operations : body,
    headers: [
      ["content-type", patch ? "application/json-patch+json" : "application/merge-patch+json"],
      ...versions(draw, resource),
    ],
  }
}

const replace: Make = (draw, resource) => {
  const { random } = draw
  const natural = resource.key?.origin === "natural" || resource.key?.origin === "given"
  const fresh = natural && random.percent(50)
  const body = inputOf(draw, resource, random.percent(50) ? "create" : "update") as Readonly<
    Record<string, Json>
  >
  const keys = new Set(resource.key?.parts.map(({ column }) => column))
  const named = new Set(
    [...resource.fields.values()].filter(({ column }) => keys.has(column)).map(({ name }) => name),
  )
  const others = Object.entries(body).filter(([name]) => name !== "id" && !named.has(name))
  return {
    method: "PUT",
    ...recordAddress(draw, resource),
    ...(fresh && { path: `/${resource.path}/n${random.whole(100_000)}`, template: `/${resource.path}/{id}` }),
    body: Object.fromEntries(others),
    headers: [
      jsonType,
      ...versions(draw, resource),
      ...(random.percent(10) ? [["if-none-match", "*"] as const] : []),
    ],
  }
}

const remove: Make = (draw, resource) => ({
  method: "DELETE",
  ...recordAddress(draw, resource),
  headers: versions(draw, resource),
})

/** Of few records, so that some are left. */
const few = (draw: Draw, resource: Resource): readonly [string, string] => [
  "filter",
  JSON.stringify({ id: { in: [idOf(draw, resource), idOf(draw, resource)] } }),
]

const most = ({ random }: Draw): (readonly [string, string])[] =>
  random.percent(85) ? [["prefer", "max-affected=100"]] : []

const updateSeveral: Make = (draw, resource) => ({
  method: "PATCH",
  path: `/${resource.path}`,
  query: [few(draw, resource)],
  headers: most(draw),
  body: inputOf(draw, resource, "update"),
})

const removeSeveral: Make = (draw, resource) => ({
  method: "DELETE",
  path: `/${resource.path}`,
  query: [few(draw, resource)],
  headers: most(draw),
})

function given(draw: Draw, input: Resource["fields"]): Json {
  return Object.fromEntries([...input.values()].map((field) => [field.name, fieldValue(draw, field)]))
}

const fire: Make = (draw, resource) => {
  const found = [...transitionSegments(resource)]
  if (found.length === 0) return recordRead(draw, resource)
  const [segment, { input }] = draw.random.one(found)
  const at = address(draw, resource)
  return {
    method: "POST",
    path: `${at.path}/transitions/${segment}`,
    template: `${at.template}/transitions/${segment}`,
    ...(input.size > 0 && { body: given(draw, input) }),
    headers: input.size > 0 ? [jsonType, ...versions(draw, resource)] : versions(draw, resource),
  }
}

const fireSeveral: Make = (draw, resource) => {
  const found = [...transitionSegments(resource)]
  if (found.length === 0) return list(draw, resource)
  const [segment, { input }] = draw.random.one(found)
  return {
    method: "POST",
    path: `/${resource.path}/transitions/${segment}`,
    query: [draw.random.percent(50) ? few(draw, resource) : ["ids", idOf(draw, resource)]],
    headers: most(draw),
    ...(input.size > 0 && { body: given(draw, input) }),
  }
}

const relatedCreate: Make = (draw, resource) => {
  const { random, model } = draw
  const many = [...relationSegments(resource)].filter(
    ([, { kind, target }]) => kind === "many" && model.resources.has(target),
  )
  if (many.length === 0) return create(draw, resource)
  const [segment, relation] = random.one(many)
  const target = model.resources.get(relation.target) ?? resource
  const at = address(draw, resource)
  const body = inputOf(draw, target, "create") as Readonly<Record<string, Json>>
  const back = [...target.relations.values()].find(
    (one) => one.kind === "one" && one.target === resource.name,
  )
  const references = back?.kind === "one" ? [back.reference, back.name] : []
  return {
    method: "POST",
    path: `${at.path}/${segment}`,
    template: `${at.template}/${segment}`,
    body: Object.fromEntries(Object.entries(body).filter(([name]) => !references.includes(name))),
  }
}

const link: Make = (draw, resource) => {
  const { random, model } = draw
  const many = [...relationSegments(resource)].filter(
    ([, { kind, target }]) => kind === "many" && model.resources.has(target),
  )
  if (many.length === 0) return update(draw, resource)
  const [segment, relation] = random.one(many)
  const target = model.resources.get(relation.target) ?? resource
  const at = address(draw, resource)
  return {
    method: random.one(["PUT", "PUT", "DELETE"]),
    path: `${at.path}/${segment}/${encodeURIComponent(idOf(draw, target))}`,
    template: `${at.template}/${segment}/{otherId}`,
  }
}

const act: Make = (draw, resource) => {
  const found = [...(resource.actions?.values() ?? [])]
  if (found.length === 0) return recordRead(draw, resource)
  const { name, input } = draw.random.one(found)
  const segment = kebabCase(name)
  const at = address(draw, resource)
  return {
    method: "POST",
    path: `${at.path}/actions/${segment}`,
    template: `${at.template}/actions/${segment}`,
    body: given(draw, input),
  }
}
