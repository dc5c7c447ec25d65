// What is kept between requests stays within its bounds, whatever clients send.
import assert from "node:assert/strict"
import { test } from "node:test"
import { createDocumentCache } from "../../src/graphql/document/document-cache.ts"
import { createQueries } from "../../src/graphql/document/query-cache.ts"
import { planOperation } from "../../src/graphql/planning/plan.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { startDraft } from "../../src/plan/draft/draft.ts"
import { createShapes } from "../../src/plan/draft/plan-cache.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { createAddresses, findRoutes, isRead } from "../../src/rest/http/route.ts"
import { createRestShapes, planRoute } from "../../src/rest/read/plan.ts"
import { createPlans } from "../../src/rest/read/plan-cache.ts"
import { createQuestions } from "../../src/rest/read/query-cache.ts"
import { model } from "../graphql/bookshop.ts"

const context = { model, cursors: createCursors("a secret of the tests") }
const schema = buildSchema(model)

function openDocuments() {
  const documents = createDocumentCache(schema, { introspection: true })
  const plan = (query: string, variables: Readonly<Record<string, unknown>> = {}): ReadPlan => {
    const { operation, planned: notePlanned } = documents.read(query)
    const prepared = operation(undefined)
    const planned = planOperation(context, prepared, prepared.readVariables(variables))
    if (planned.isNew) notePlanned()
    assert.ok(planned.plan.kind === "read")
    return planned.plan
  }
  return { documents, plan }
}

test("of documents that differ in literals or white space only so many are kept", () => {
  const { documents, plan } = openDocuments()
  for (let index = 0; index < 1_500; index += 1) {
    const space = " ".repeat(index % 50)
    plan(`{ books(first: ${index % 100}, where: {sold: {gt: "${index}"}})${space} { nodes { id title } } }`)
  }
  const { count, weight } = documents.size()
  assert.ok(count > 100 && count <= 1_000 && weight <= 50_000_000, `${count} of ${weight}`)
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

test("of one document's shapes only so many are kept", () => {
  const { documents, plan } = openDocuments()
  const query = "query ($where: BookWhere) { books(where: $where) { nodes { id } } }"
  const prepared = documents.read(query).operation(undefined)
  for (let index = 0; index < 3_000; index += 1) {
    const or = Array.from({ length: (index % 300) + 1 }, (_, nth) => ({
      [nth % 2 === 0 ? "title" : "isbn"]: { [index % 3 === 0 ? "eq" : "ne"]: "x" },
    }))
    plan(query, { where: { or } })
    assert.ok(prepared.shapes.count <= 100 && prepared.shapes.weight <= 5_000_000)
  }
  assert.ok(documents.size().weight <= 50_000_000)
})

test("huge values are not kept", () => {
  const weightOf = (ids: readonly string[]): number => {
    const { documents, plan } = openDocuments()
    plan("query ($in: [ID!]) { books(where: {id: {in: $in}}) { nodes { id } } }", { in: ids })
    return documents.size().weight
  }
  const many = Array.from({ length: 10_000 }, (_, index) => `bok_${"7".repeat(40)}${index}`)
  assert.equal(weightOf(many), weightOf(["bok_1"]))
})

test("huge shapes are not kept", () => {
  const shapes = createShapes<number, readonly number[]>({
    count: 10,
    weight: 100,
    weigh: ({ length }) => length,
  })
  const plan = (length: number): readonly number[] =>
    shapes.plan(startDraft(context), length, (ask) => {
      ask({ read: (_, size) => size, keyOf: String })
      return Array.from({ length })
    })
  plan(60)
  assert.deepEqual([shapes.count, shapes.weight], [1, 60])
  plan(101)
  assert.deepEqual([shapes.count, shapes.weight], [1, 60])
})

test("of REST's shapes only so many are kept, and addresses that differ in values are one", () => {
  const shapes = createRestShapes()
  const questions = createQuestions()
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
  assert.equal(shapes.count, 2)
  // Sizes of pages are told apart by powers of ten.
  for (let limit = 0; limit <= 50; limit += 1) plan("/books", `limit=${limit}`)
  assert.equal(shapes.count, 4)
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
    assert.ok(shapes.count <= 5_000 && shapes.weight <= 40_000_000)
  }
})

test("of the queries asked lately only so many are kept, as if each had a document of its own", () => {
  const { documents, plan } = openDocuments()
  const queries = createQueries()
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
  const small = queries.size()
  assert.ok(small.count > 1_000 && small.count <= 5_000 && small.weight <= 20_000_000, `${small.count}`)
  assert.ok(queries.find({ kind: "json", text: `${query} 7999` }))
  assert.equal(queries.find({ kind: "json", text: `${query} 0` }), undefined)
  assert.equal(queries.find({ kind: "graphql", text: `${query} 7999`, parameters: new Map() }), undefined)
  for (let index = 0; index < 100; index += 1) keep(query, `${index}${" ".repeat(50_000)}`)
  const { count, weight } = queries.size()
  assert.ok(count <= 3 && weight <= 20_000_000, `${count} of ${weight}`)
})

test("what is asked once is not kept", () => {
  const { documents, plan } = openDocuments()
  const queries = createQueries()
  const text = "{ books(first: 1) { nodes { id } } }"
  const { operation, readVariables } = documents.read(text).operation(undefined)
  const query = { operation, asked: readVariables({}), outputs: [], plan: plan(text) }
  queries.keep({ kind: "json", text }, query)
  assert.equal(queries.find({ kind: "json", text }), undefined)
  queries.keep({ kind: "json", text }, query)
  assert.deepEqual(queries.find({ kind: "json", text }), { ...query, plan: { ...query.plan, kept: true } })
})

test("of the addresses asked lately only so many are kept", () => {
  const plans = createPlans(context, createRestShapes(), "")
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
  const { count, weight } = plans.size()
  assert.ok(count > 500 && count <= 5_000 && weight <= 20_000_000, `${count} of ${weight}`)
  assert.notEqual(ask("/books", "limit=1"), first)
})
