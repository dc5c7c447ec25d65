// Documents that differ in literals only: which ones share a plan, what is kept of them, and whose places errors have.
import assert from "node:assert/strict"
import { test } from "node:test"
import { CacheBudget, RequestCache } from "../../src/base/caches.ts"
import { createDocumentCache } from "../../src/graphql/document/document-cache.ts"
import { planOperation } from "../../src/graphql/planning/plan.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { model } from "./bookshop.ts"
import { openMarket } from "./market.ts"

const schema = buildSchema(model)
const context = { model, cursors: createCursors("a secret of the tests") }

function openDocuments(cache = new RequestCache()) {
  const documents = createDocumentCache(schema, { introspection: true, cache })
  const plan = (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const document = documents.read(query)
    assert.deepEqual(document.errors, [], query)
    const prepared = document.operation(undefined)
    const made = planOperation(context, prepared, prepared.readVariables(variables))
    if (made.isNew) document.planned?.()
    assert.ok(made.plan.kind === "read")
    return { plan: made.plan, isShared: document.isShared === true }
  }
  /** Whether the third document and the next ones share what is known of the first two. */
  const shares = (spell: (nth: number) => string, variables = {}): boolean => {
    const shared = [1, 2, 3, 4].map((nth) => plan(spell(nth), variables).isShared)
    assert.deepEqual(shared.slice(0, 2), [false, false])
    assert.equal(shared[2], shared[3])
    return shared[2] === true
  }
  return { documents, plan, shares }
}

test("from the third document of a shape on the plan is the same, with the values of each", () => {
  const { plan } = openDocuments()
  const spell = (id: string, weight: string, title: string) =>
    `{ author(id: ${id}) { name books(first: 4, where: {title: {eq: ${title}}, weight: {gt: ${weight}}}) { nodes { id } } } }`
  for (const id of ["17", '"18"']) plan(spell(id, "5", '"A"'))
  const third = plan(spell("19", "-2.5e1", '"\\u0042"'))
  const fourth = plan(spell('"20"', "1.5", '"""\n  C\n"""'))
  assert.deepEqual([third.isShared, fourth.isShared], [true, true])
  assert.equal(fourth.plan.roots, third.plan.roots)
  assert.deepEqual(third.plan.values, [["19"], "B", -25, 4])
  assert.deepEqual(fourth.plan.values, [["20"], "C", 1.5, 4])
})

test("literals beside variables, in lists and in objects are shared, and a list of one is another shape", () => {
  const { plan, shares } = openDocuments()
  const list = (where: string) =>
    `query ($v: String!) { books(where: {or: [{title: {eq: $v}}, ${where}]}) { nodes { id } } }`
  assert.ok(shares((nth) => list(`{isbn: {in: ["${nth}", "x"]}, pages: {gt: ${nth}}}`), { v: "a" }))
  assert.equal(plan(list('{isbn: {in: "1"}, pages: {gt: 1}}'), { v: "a" }).isShared, false)
})

test("what is read by others than the planner is not shared", () => {
  const { shares } = openDocuments()
  assert.ok(shares((nth) => `{ author(id: "${nth}") { id } }`))
  assert.equal(
    shares((nth) => `{ author(id: "${nth}") { id } __type(name: "Book") { name } }`),
    false,
  )
  assert.equal(
    shares(
      (nth) =>
        `query ($_bifoldLiteral0: ID!) { author(id: $_bifoldLiteral0) { id } b: author(id: ${nth}) { id } }`,
      { _bifoldLiteral0: "1" },
    ),
    false,
  )
})

test("fields that are merged have to have equal literals in each document", () => {
  const { shares, documents } = openDocuments()
  const twice = (one: number, other: number) =>
    `{ authors { nodes { books(first: ${one}) { totalCount } books(first: ${other}) { nodes { id } } } } }`
  assert.equal(
    shares((nth) => twice(nth, nth)),
    false,
  )
  assert.equal(documents.read(twice(1, 2)).errors.length, 1)
  assert.ok(
    shares(
      (nth) =>
        `{ a: author(id: 1) { books(first: ${nth}) { totalCount } } b: author(id: 2) { books(first: 1) { totalCount } } }`,
    ),
  )
})

test("literals that do not fit are refused in the words and with the places of the text", () => {
  const { documents, shares } = openDocuments()
  const spell = (first: string) => `{\n books(first: ${first}) { nodes { id } } }`
  assert.ok(shares((nth) => spell(String(nth))))
  const { errors, isShared } = documents.read(spell("2147483648"))
  assert.equal(isShared, undefined)
  assert.deepEqual(
    errors.map(({ message, locations }) => [message, locations]),
    [["Int cannot represent non 32-bit signed integer value: 2147483648", [{ line: 2, column: 15 }]]],
  )
})

test("a text with the marks of a shape in it is refused, and is not taken for the shape", () => {
  const { documents, shares, plan } = openDocuments()
  const spell = (nth: number) => `{ author(id: ${nth}) { id } }`
  assert.ok(shares(spell))
  const [error] = documents.read("{ author(id: \u0000) { id } }").errors
  assert.equal(error?.code, "syntax_error")
  assert.ok(plan(spell(7)).isShared)
  assert.ok(shares((nth) => `{ author(id: "${nth}" # \u0000 "1"\n) { id } }`))
  assert.ok(shares((nth) => `{ author(id: "${nth}" # "1" \u0000\n) { id } }`))
})

test("of shapes and of texts only so many are kept, and a text whose shape is forgotten has its own document again", () => {
  const most = 300_000
  const cache = new RequestCache(new CacheBudget(most))
  const { plan } = openDocuments(cache)
  const spell = (shape: number, nth: number) => `{ a${shape}: author(id: ${nth}) { id } }`
  for (let shape = 0; shape < 30; shape += 1)
    for (const nth of [1, 2, 3, 3, 3]) assert.equal(plan(spell(shape, nth)).isShared, nth === 3)
  assert.equal(plan(spell(0, 3)).isShared, false)
  for (let nth = 0; nth < 2_000; nth += 1) {
    for (const _ of [1, 2]) plan(spell(29, nth))
    assert.ok(cache.weight <= most, `${cache.weight}`)
  }
})

test("a text that comes again and again gets a document of its own, which is kept", () => {
  const { plan, shares } = openDocuments()
  const spell = (nth: number) => `{ author(id: ${nth}) { id } }`
  assert.ok(shares(spell))
  const shared = Array.from({ length: 50 }, () => plan(spell(7)).isShared)
  const own = shared.indexOf(false)
  assert.ok(own > 10, `${own}`)
  assert.ok(shared.slice(own).every((isShared) => !isShared))
})

test("errors of writes have their places in the text that was sent", async (t) => {
  const market = await openMarket(t, "sqlite")
  const create = (email: string, name = "Ada") =>
    market.ask(
      `mutation { createCustomer(input: {name: "${name}", email: "${email}"}) { customer { email } } }`,
    )
  for (const email of ["a@example.org", "b@example.org", "c@example.org", "long-one@example.org"])
    assert.deepEqual((await create(email)).body.data, { createCustomer: { customer: { email } } })
  const placeOf = async (...of: Parameters<typeof create>): Promise<unknown> => {
    const { body } = await create(...of)
    return body.errors?.map(({ locations, extensions }) => [locations, extensions["code"]])
  }
  const at = (name: string) => [
    { line: 1, column: `mutation { createCustomer(input: {name: "${name}", email: `.length + 1 },
  ]
  assert.deepEqual(await placeOf("a@example.org"), [[at("Ada"), "already_exists"]])
  assert.deepEqual(await placeOf("b@example.org", "Grace"), [[at("Grace"), "already_exists"]])
  assert.deepEqual(await placeOf("d@example.org", "Ada".repeat(20)), [
    [[{ line: 1, column: 41 }], "invalid_value"],
  ])
})
