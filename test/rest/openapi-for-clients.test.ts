// The OpenAPI document as tools and generators of clients take it: flat, with types as one would write them.
import assert from "node:assert/strict"
import { test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import type { JsonValue } from "../../src/base/json.ts"
import { f, one, resource, service } from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { restFace } from "../../src/rest/face.ts"
import { openapi } from "../../src/rest/openapi/openapi.ts"
import { cleanUp } from "../support/database.ts"
import { inPlace } from "../support/described.ts"
import { wideModel } from "../support/described-models.ts"
import { dialects, openExample } from "../support/open-service.ts"
import { asText } from "../support/text-face.ts"

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly example?: JsonValue
  readonly schema?: { readonly examples?: readonly JsonValue[]; readonly enum?: readonly JsonValue[] }
  readonly content?: Record<string, { readonly example?: JsonValue }>
}
interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { schema: JsonValue }> }
  readonly responses: Record<string, { content?: Record<string, unknown> }>
}
interface Document {
  readonly tags: readonly { description?: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, JsonValue> }
}

const documentOf = (options = {}): Document =>
  inPlace(openapi(load(withSystem(storefront)), options)) as unknown as Document

const operationsOf = ({ paths }: Document): readonly Operation[] =>
  Object.values(paths).flatMap((operations) => Object.values(operations))

const asked = { method: "GET", headers: {}, body: new Uint8Array(), requestId: "test" }

/** Names of schemas that the value refers to. */
function referred(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referred)
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" && typeof inner === "string" ? [inner.split("/").at(-1) ?? ""] : referred(inner),
  )
}

/** A way from the schema back to itself; undefined when there is none. */
function cycleFrom(
  schemas: Document["components"]["schemas"],
  name: string,
  above: readonly string[] = [],
): readonly string[] | undefined {
  if (above.includes(name)) return [...above, name]
  for (const next of referred(schemas[name] ?? null)) {
    const cycle = cycleFrom(schemas, next, [...above, name])
    if (cycle) return cycle
  }
  return undefined
}

test("no schema of the flat document leads back to itself, and those of the deep one do", () => {
  const { schemas } = documentOf().components
  for (const name of Object.keys(schemas)) assert.equal(cycleFrom(schemas, name), undefined)
  const deep = documentOf({ depth: "full" }).components.schemas
  assert.ok(Object.keys(deep).some((name) => cycleFrom(deep, name)))
})

test("every operation and tag has a description, and every parameter an example", () => {
  for (const options of [{}, { depth: "full", purpose: "validation" } as const]) {
    const document = documentOf(options)
    for (const { description } of document.tags) assert.ok(description)
    for (const { operationId, description, parameters = [] } of operationsOf(document)) {
      assert.ok(description, operationId)
      for (const { name, example, schema, content } of parameters) {
        const told = example ?? content?.["application/json"]?.example
        assert.ok(told !== undefined || schema?.examples || schema?.enum, `${operationId} ${name}`)
      }
    }
  }
})

test("the documents of the storefront and of 60 tables are small enough for tools", () => {
  const { model } = actorFromText(load(withSystem(storefront)), "role:staff")
  assert.ok(JSON.stringify(openapi(model)).length < 205_000)
  assert.ok(JSON.stringify(openapi(wideModel())).length < 1_000_000)
})

test("by a unique key clients read, and put what its address makes", () => {
  const methods = (options: object) => Object.keys(documentOf(options).paths["/products/slug={slug}"] ?? {})
  assert.deepEqual(methods({}), ["get", "put"])
  assert.deepEqual(methods({ purpose: "validation" }), ["get", "patch", "put", "delete"])
})

test("parameters that all operations of an address have are said once", () => {
  const { paths } = openapi(load(withSystem(storefront))) as unknown as Document
  const { parameters, get, patch } = paths["/orders/{id}"] as unknown as Record<
    string,
    { parameters: unknown }
  >
  assert.deepEqual(parameters, [{ $ref: "#/components/parameters/OrderId" }])
  for (const operation of [get, patch]) assert.doesNotMatch(JSON.stringify(operation?.parameters), /OrderId/)
})

test("an answer has one media type, and all members that come without `fields`", () => {
  const document = documentOf()
  for (const { operationId, responses } of operationsOf(document))
    if (operationId !== "followEvents")
      assert.deepEqual(Object.keys(responses["200"]?.content ?? { "application/json": 0 }), [
        "application/json",
      ])
  const order = document.components.schemas["Order"] as { properties: object; required: string[] }
  const whenNamed = ["expectedOn", "etag", "transitions"]
  assert.deepEqual(
    order.required,
    Object.keys(order.properties).filter((name) => !whenNamed.includes(name)),
  )
  const exact = documentOf({ purpose: "validation" }).components.schemas["Order"] as typeof order
  assert.deepEqual(exact.required, ["id"])
})

test("creating one record takes and answers one; several have an operation of their own", () => {
  const { paths } = documentOf()
  const schemaOf = (path: string) => paths[path]?.["post"]?.requestBody?.content["application/json"]?.schema
  assert.deepEqual(schemaOf("/orders"), { $ref: "#/components/schemas/OrderCreate" })
  assert.deepEqual(paths["/orders"]?.["post"]?.responses["201"]?.content, {
    "application/json": { schema: { $ref: "#/components/schemas/OrderWithRelated" } },
  })
  const { type, items } = schemaOf("/orders/bulk") as { type: string; items: JsonValue }
  assert.deepEqual({ type, items }, { type: "array", items: { $ref: "#/components/schemas/OrderCreate" } })
})

test("a replacement needs the same members in the flat document as in the deep one", () => {
  const neededBy = (options: object) => {
    const { paths, components } = documentOf(options)
    const body = paths["/orders/{id}"]?.["put"]?.requestBody?.content["application/json"]
    const schema = body?.schema as { $ref?: string; required?: string[] } | undefined
    const named = schema?.$ref?.split("/").at(-1) ?? ""
    return schema?.required ?? (components.schemas[named] as { required?: string[] }).required
  }
  assert.deepEqual(neededBy({}), ["total"])
  assert.deepEqual(neededBy({ depth: "full" }), ["total"])
})

test("only creation in the list may be answered with a list", () => {
  const { paths } = documentOf({ purpose: "validation" })
  const formsOf = (path: string) => {
    const content = paths[path]?.["post"]?.responses["201"]?.content?.["application/json"]
    return Object.keys((content as { schema: object }).schema)
  }
  assert.deepEqual(formsOf("/orders"), ["oneOf"])
  assert.deepEqual(formsOf("/orders/{id}/lines"), ["$ref"])
})

test("the caller has all members, and limits that are null where they are not counted", () => {
  const staff = actorFromText(load(withSystem(storefront)), "role:staff")
  for (const options of [{}, { depth: "full", purpose: "validation" } as const]) {
    const { paths } = inPlace(openapi(staff.model, options)) as unknown as Document
    const answer = paths["/viewer"]?.["get"]?.responses["200"]?.content
    const { schema } = (answer?.["application/json"] ?? {}) as {
      schema?: { required: string[]; properties: { limits: { type: string[] } } }
    }
    assert.deepEqual(schema?.required, ["roles", "scopes", "limits", "customer"])
    assert.deepEqual(schema?.properties.limits.type, ["object", "null"])
  }
})

test("a schema that takes lists says what is in them", () => {
  const document = documentOf({ depth: "full", purpose: "validation" })
  const isList = ({ type }: { type?: unknown }) => [type].flat().includes("array")
  const found: JsonValue[] = []
  JSON.stringify(document, (_, value) => {
    if (value && typeof value === "object" && isList(value)) found.push(value)
    return value
  })
  assert.ok(found.length > 100)
  for (const schema of found) assert.ok("items" in (schema as object), JSON.stringify(schema))
})

test("the example of a made id is an id", () => {
  const { paths } = documentOf()
  const id = paths["/orders/{id}"]?.["get"]?.parameters?.find(({ name }) => name === "id")
  assert.match(String(id?.example), /^[0-7][0-9a-hjkmnp-tv-z]{25}$/)
})

test("neither a default nor JSON narrows what clients write", () => {
  const { schemas } = documentOf().components
  const { allOf, required } = schemas["ProductCreate"] as { allOf: JsonValue[]; required: string[] }
  assert.deepEqual(allOf, [{ $ref: "#/components/schemas/ProductInput" }])
  const { properties } = schemas["ProductInput"] as { properties: Record<string, Record<string, JsonValue>> }
  assert.deepEqual(properties["attributes"], {})
  assert.equal(properties["active"]?.["default"], undefined)
  assert.match(String(properties["active"]?.["description"]), /Default: `true`/)
  assert.ok(!required.includes("active"))
})

for (const database of dialects)
  test(`what the examples of the parameters ask together is answered by every list, on ${database}`, async (t) => {
    const hooks = cleanUp((stop) => t.after(stop))
    const { model, context, engine } = await openExample(hooks, "storefront", database)
    const face = asText(restFace({ ...context, answer: engine.answer }), model)
    const { paths } = inPlace(openapi(model)) as unknown as Document
    let lists = 0
    for (const [path, { get }] of Object.entries(paths)) {
      if (!get || path.includes("{")) continue
      // Its example is no record's id; events have a face of their own.
      if (path.startsWith("/nodes") || path.startsWith("/events")) continue
      lists++
      const query = (get.parameters ?? [])
        .filter((parameter) => parameter.in === "query" && parameter.example !== undefined)
        .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
        .join("&")
      const { status, body } = await face({ ...asked, path, query })
      assert.equal(status, 200, `${path}?${query} ${body}`)
    }
    assert.ok(lists > 8)
  })

test("the deep document is refused where tools could not hold it", async () => {
  const resources = Object.fromEntries(
    Array.from({ length: 201 }, (_, index) => [
      `thing${index}`,
      resource({
        fields: { name: f.text() },
        relations: index > 0 ? { previous: one(`thing${index - 1}`) } : {},
      }),
    ]),
  )
  const model = load(service({ name: "many", resources }))
  const face = asText(
    restFace({ model, answer: () => Promise.reject(new Error("nothing is read")) } as never),
    model,
  )
  const described = { ...asked, path: "/openapi.json" }
  const { status, body } = await face({ ...described, query: "depth=full" })
  assert.equal(status, 422)
  assert.match(body, /too_expensive.*200 resources, and these are 201/s)
  assert.equal((await face({ ...described, query: "" })).status, 200)
  for (const [query, code] of [
    ["depth=deep", "invalid_value"],
    ["purpose=clients&purpose=validation", "invalid_value"],
    ["dept=full", "unknown_parameter"],
  ]) {
    const refused = await face({ ...described, query: query ?? "" })
    assert.equal(refused.status, 400)
    assert.match(refused.body, new RegExp(`"${code}"`))
  }
})
