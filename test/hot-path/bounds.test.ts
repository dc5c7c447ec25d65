// What is kept between requests stays within its bounds, whatever clients send.
import assert from "node:assert/strict"
import { test } from "node:test"
import { CacheBudget, RequestCache } from "../../src/base/caches.ts"
import { createDocumentCache } from "../../src/graphql/document/document-cache.ts"
import { createQueries } from "../../src/graphql/document/query-cache.ts"
import { planOperation } from "../../src/graphql/planning/plan.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { createShapes } from "../../src/plan/draft/plan-cache.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { createAddresses, findRoutes, isRead } from "../../src/rest/http/route.ts"
import { planRoute, type RestShapes } from "../../src/rest/read/plan.ts"
import { createPlans } from "../../src/rest/read/plan-cache.ts"
import { createQuestions } from "../../src/rest/read/query-cache.ts"
import { model } from "../graphql/bookshop.ts"

const context = { model, cursors: createCursors("a secret of the tests") }
const schema = buildSchema(model)

const cacheOf = (most: number) => new RequestCache(new CacheBudget(most))

function openDocuments(cache = new RequestCache()) {
  const documents = createDocumentCache(schema, { introspection: true, cache })
  const plan = (query: string, variables: Readonly<Record<string, unknown>> = {}): ReadPlan => {
    const { operation, planned: notePlanned } = documents.read(query)
    const prepared = operation(undefined)
    const planned = planOperation(context, prepared, prepared.readVariables(variables))
    if (planned.isNew) notePlanned?.()
    assert.ok(planned.plan.kind === "read")
    return planned.plan
  }
  return { documents, plan }
}

test("documents that differ in literals or white space only stay within the budget", () => {
  const cache = cacheOf(2_000_000)
  const { plan } = openDocuments(cache)
  for (let index = 0; index < 1_500; index += 1) {
    const space = " ".repeat(index % 50)
    plan(`{ books(first: ${index % 100}, where: {sold: {gt: "${index}"}})${space} { nodes { id title } } }`)
    assert.ok(cache.weight <= 2_000_000, `${cache.weight}`)
  }
  assert.ok(cache.count > 100)
})

test("equal documents share their plan's roots, by which the engine knows the statement", () => {
  const { plan } = openDocuments()
  const query =
    "query ($n: Int!, $min: Int64) { books(first: $n, where: {sold: {gt: $min}}) { nodes { id } } }"
  const first = plan(query, { n: 1, min: "2" })
  const second = plan(query, { n: 3, min: "4" })
  assert.equal(first.roots, second.roots)
  assert.deepEqual(
    [first.values, second.values],
    [
      ["2", 1],
      ["4", 3],
    ].map(([min, n]) => [BigInt(min ?? 0), n]),
  )
  assert.notEqual(plan(query, { n: 1 }).roots, first.roots)
  assert.equal(plan(query, { n: 2 }).roots, plan(query, { n: 5 }).roots)
})

test("shapes of one document stay within the budget", () => {
  const cache = cacheOf(8_000_000)
  const { plan } = openDocuments(cache)
  const query = "query ($where: BookWhere) { books(where: $where) { nodes { id } } }"
  for (let index = 0; index < 600; index += 1) {
    const or = Array.from({ length: (index % 300) + 1 }, (_, nth) => ({
      [nth % 2 === 0 ? "title" : "isbn"]: { [index % 3 === 0 ? "eq" : "ne"]: "x" },
    }))
    plan(query, { where: { or } })
    assert.ok(cache.weight <= 8_000_000, `${cache.weight}`)
  }
  assert.ok(cache.count > 10)
})

test("huge values are not kept", () => {
  const weightOf = (ids: readonly string[]): number => {
    const cache = new RequestCache()
    openDocuments(cache).plan("query ($in: [ID!]) { books(where: {id: {in: $in}}) { nodes { id } } }", {
      in: ids,
    })
    return cache.weight
  }
  const many = Array.from({ length: 10_000 }, (_, index) => `bok_${"7".repeat(40)}${index}`)
  assert.equal(weightOf(many), weightOf(["bok_1"]))
})

test("shapes of REST stay within the budget, and addresses that differ in values are one", () => {
  const cache = cacheOf(5_000_000)
  const shapes: RestShapes = createShapes(cache)
  const questions = createQuestions(cacheOf(10_000_000))
  const addresses = createAddresses(model)
  const plan = (path: string, query: string): ReadPlan => {
    const route = findRoutes(addresses, path).GET
    assert.ok(route && isRead(route))
    return planRoute(
      context,
      shapes,
      questions(route, { method: "GET", path, query, body: new Uint8Array() }),
    )
  }
  for (let index = 0; index < 100; index += 1) {
    const one = plan("/books", `filter[title]=${index}&limit=${index % 11}&fields=title`)
    const other = plan("/books", "filter[title]=x&limit=1&fields=title")
    assert.equal(one.roots, other.roots)
    assert.equal(plan(`/books/${index}`, "").roots, plan("/books/bok_1", "").roots)
  }
  assert.equal(cache.count, 2)
  // Sizes of pages are told apart by powers of ten.
  for (let limit = 0; limit <= 50; limit += 1) plan("/books", `limit=${limit}`)
  assert.equal(cache.count, 4)
  const names = [
    "title",
    "isbn",
    "price",
    "pages",
    "sold",
    "weight",
    "binding",
    "size",
    "inPrint",
    "year",
    "number",
    "code",
    "extra",
  ]
  for (let index = 0; index < 6_000; index += 1) {
    const fields = names.filter((_, bit) => ((index >> bit) & 1) === 1)
    plan("/books", `fields=id${fields.map((name) => `,${name}`).join("")}`)
    assert.ok(cache.weight <= 5_000_000, `${cache.weight}`)
  }
})

test("queries stay within the budget, as if each had a document of its own", () => {
  const { documents, plan } = openDocuments()
  const cache = cacheOf(20_000_000)
  const queries = createQueries(cache)
  const keep = (query: string, text: string): void => {
    const { operation, readVariables } = documents.read(query).operation(undefined)
    for (let time = 0; time < 2; time += 1)
      queries.keep(
        { kind: "json", text },
        { operation, asked: readVariables({}), outputs: [], plan: plan(query) },
      )
  }
  const query = "{ books(first: 1) { nodes { id } } }"
  for (let index = 0; index < 8_000; index += 1) keep(query, `${query} ${index}`)
  assert.ok(cache.count > 1_000 && cache.weight <= 20_000_000, `${cache.count}`)
  assert.ok(queries.find({ kind: "json", text: `${query} 7999` }))
  assert.equal(queries.find({ kind: "json", text: `${query} 0` }), undefined)
  assert.equal(queries.find({ kind: "graphql", text: `${query} 7999`, parameters: new Map() }), undefined)
  for (let index = 0; index < 100; index += 1) keep(query, `${index}${" ".repeat(50_000)}`)
  assert.ok(cache.count <= 3 && cache.weight <= 20_000_000, `${cache.count} of ${cache.weight}`)
})

test("what is asked once is not kept", () => {
  const { documents, plan } = openDocuments()
  const queries = createQueries(new RequestCache())
  const text = "{ books(first: 1) { nodes { id } } }"
  const { operation, readVariables } = documents.read(text).operation(undefined)
  const query = { operation, asked: readVariables({}), outputs: [], plan: plan(text) }
  queries.keep({ kind: "json", text }, query)
  assert.equal(queries.find({ kind: "json", text }), undefined)
  queries.keep({ kind: "json", text }, query)
  assert.deepEqual(queries.find({ kind: "json", text }), { ...query, plan: { ...query.plan, kept: {} } })
})

test("addresses stay within the budget", () => {
  const cache = cacheOf(5_000_000)
  const plans = createPlans(context, { shapes: createShapes(cache), base: "", cache })
  const addresses = createAddresses(model)
  const ask = (path: string, query: string, counted = false): ReadPlan => {
    const route = findRoutes(addresses, path).GET
    assert.ok(route && isRead(route))
    const request = { method: "GET", path, query, body: new Uint8Array() }
    return ((counted ? undefined : plans.find(request)) ?? plans.plan(route, request, counted)).plan
  }
  const askTwice = (...asked: Parameters<typeof ask>): ReadPlan => ask(...asked) && ask(...asked)
  const first = askTwice("/books", "limit=1")
  assert.equal(ask("/books", "limit=1"), first)
  const total = askTwice("/books", "limit=1", true)
  assert.notEqual(total.roots, first.roots)
  assert.equal(ask("/books", "limit=1", true), total)
  assert.equal(ask("/books", "limit=1"), first)
  assert.notEqual(askTwice("/books", "limit=2"), first)
  for (let index = 0; index < 6_000; index += 1) askTwice("/books", `limit=1&filter[title]=${index}`)
  assert.ok(cache.count > 200 && cache.weight <= 5_000_000, `${cache.count} of ${cache.weight}`)
  assert.notEqual(ask("/books", "limit=1"), first)
})
