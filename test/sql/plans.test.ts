// How both databases go about the questions of the storefront: what they may read from end to end, and how much they touch.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import pg from "pg"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { createCursors, cursorScope } from "../../src/plan/draft/cursor.ts"
import type { PlanContext } from "../../src/plan/draft/draft.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { compile } from "../../src/sql/read/compile.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { type Command, insertRecords } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { exampleRecords } from "../support/open-service.ts"
import { openSqliteReader, parametersOf, readPostgres, type SqliteReader } from "../support/reading.ts"

interface Question {
  readonly asks: string
  readonly document: string
  /** Tables that may be read from an end, until the page is full: all rows are asked for, or no index is on what is. */
  readonly scans?: readonly string[]
  /** Rows that either database takes from all tables and indexes together, at the most. */
  readonly rows: number
}

const questions: readonly Question[] = [
  {
    asks: "one record by its id",
    document: `{ product(id: "$product") { id slug name price active stock } }`,
    rows: 1,
  },
  { asks: "one record by a unique key", document: `{ productBySlug(slug: "$slug") { id } }`, rows: 1 },
  { asks: "a record of a composite key", document: `{ orderLine(id: "$order~1") { id quantity } }`, rows: 1 },
  {
    asks: "a record and its parent",
    document: `{ order(id: "$order") { id customer { id name } } }`,
    rows: 2,
  },
  {
    asks: "a record and its children",
    document: `{ order(id: "$order") { id lines(first: 5) { nodes { id } } } }`,
    rows: 7,
  },
  {
    asks: "a page with what follows",
    document: "{ products(first: 20) { nodes { id } pageInfo { hasNextPage endCursor } } }",
    // Along the index once more for what follows, and on SQLite for the end.
    rows: 61,
    scans: ["product"],
  },
  {
    asks: "the page after a position",
    document: `{ orders(first: 20, after: "$after") { nodes { id number } pageInfo { hasNextPage } } }`,
    rows: 41,
  },
  { asks: "the last page", document: "{ orders(last: 10) { nodes { id } } }", rows: 10, scans: ["order"] },
  {
    asks: "a page in the order of an index",
    document:
      "{ products(first: 10, orderBy: [{ field: price }]) { nodes { id price } pageInfo { hasNextPage } } }",
    rows: 21,
    scans: ["product"],
  },
  {
    asks: "a page by equality and the order of an index",
    document: `{ products(first: 10, where: { categoryId: { eq: "$category" } }, orderBy: [{ field: price }]) { nodes { id } } }`,
    rows: 11,
  },
  {
    asks: "a page from a bound of an index",
    document: `{ products(first: 10, where: { price: { gte: "50.00" } }, orderBy: [{ field: price }]) { nodes { id } } }`,
    rows: 10,
  },
  {
    asks: "a page of equal values",
    document: `{ orders(first: 10, where: { customerId: { eq: "$customer" } }) { nodes { id } } }`,
    rows: 10,
  },
  { asks: "records by their ids", document: `{ nodes(ids: ["$product", "$order"]) { id } }`, rows: 2 },
  {
    asks: "ids in a set",
    document: `{ products(where: { id: { in: ["$product"] } }) { nodes { id } } }`,
    rows: 5,
  },
  {
    asks: "each with its parent",
    document: "{ orders(first: 20) { nodes { id customer { id name } } } }",
    rows: 40,
    scans: ["order"],
  },
  {
    asks: "each with its first children",
    document: "{ customers(first: 10) { nodes { id orders(first: 3) { nodes { id } } } } }",
    rows: 40,
    scans: ["customer"],
  },
  {
    asks: "three levels",
    document:
      "{ customers(first: 5) { nodes { id orders(first: 2) { nodes { id lines(first: 3) { nodes { id product { id } } } } } } } }",
    rows: 105,
    scans: ["customer"],
  },
  {
    asks: "each with many through a join table",
    document: "{ products(first: 5) { nodes { id tags(first: 3) { nodes { id } } } } }",
    rows: 80,
    scans: ["product", "tag"],
  },
  {
    asks: "the totals of one record's children",
    document: `{ customer(id: "$customer") { orders { totalCount } } }`,
    rows: 60,
  },
  {
    asks: "an aggregate of one record's children",
    document: `{ order(id: "$order") { lines { aggregate { count sum { lineTotal } } } } }`,
    rows: 8,
  },
  {
    asks: "by a parent's unique field",
    document: `{ orders(first: 5, where: { customer: { email: { eq: "$email" } } }) { nodes { id } } }`,
    rows: 11,
  },
  {
    asks: "by whether there is a child",
    document: "{ products(first: 5, where: { lines: { some: {} } }) { nodes { id } } }",
    rows: 40,
    scans: ["product"],
  },
  {
    asks: "by that there is no child",
    document: "{ customers(first: 5, where: { orders: { none: {} } }) { nodes { id } } }",
    rows: 11_100,
    scans: ["customer", "order"],
  },
  {
    asks: "by a column without an index",
    document: `{ customers(first: 5, where: { name: { startsWith: "A" } }) { nodes { id } } }`,
    rows: 1_000,
    scans: ["customer"],
  },
  {
    asks: "how many there are, which is asked for",
    document: "{ customers(first: 1) { nodes { id } totalCount } }",
    rows: 1_001,
    scans: ["customer"],
  },
]

const { model, stored } = exampleRecords("storefront")
const context: PlanContext = { model, cursors: createCursors("a secret of the tests") }

function planOf(document: string): ReadPlan {
  const row = (name: string, index: number) => stored.records.get(name)?.[index] ?? {}
  const [product, order] = [row("product", 250), row("order", 5_000)]
  const [customer, category] = [row("customer", 500), row("category", 3)]
  const orderOf = planQuery(context, { query: "{ orders { nodes { id } } }" }).roots[0]
  assert.ok(orderOf?.kind === "list")
  const resource = model.resources.get("order")
  assert.ok(resource)
  const given: Readonly<Record<string, string>> = {
    product: `prd_${product["id"]}`,
    slug: String(product["slug"]),
    order: `ord_${order["id"]}`,
    customer: `cus_${customer["id"]}`,
    email: String(customer["email"]),
    category: `cat_${category["id"]}`,
    after: context.cursors.seal(
      cursorScope(model, resource, orderOf.list.order),
      JSON.stringify([[order["id"]]]),
    ),
  }
  const query = document.replaceAll("$order~", `line_${order["id"]}~`)
  return planQuery(context, { query: query.replace(/\$(\w+)/g, (_, name) => given[name] ?? "") })
}

const commands = (dialect: typeof sqlite): Command[] => [
  ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
  ...insertRecords(model, dialect, stored),
]

const unexpected = (scanned: readonly string[], { scans = [] }: Question): readonly string[] =>
  scanned.filter((table) => !scans.includes(table))

describe("the plans of SQLite", () => {
  const hooks = cleanUp(after)
  let reader: SqliteReader
  let path: string
  before(async () => {
    path = join(await temporaryFolder(hooks), "plans.sqlite")
    await setUp(path, commands(sqlite))
    reader = openSqliteReader(hooks, path)
  })

  for (const question of questions)
    test(`read no table from end to end that an index serves: ${question.asks}`, () => {
      const { scanned, rows } = reader.read(planOf(question.document))
      assert.deepEqual(unexpected(scanned, question), [])
      assert.ok(rows <= question.rows, `${rows} rows, at most ${question.rows}`)
    })

  test("take the order from an index where one serves, and sort where none does", () => {
    const sorts = (document: string): boolean => reader.read(planOf(document)).sorts
    assert.equal(sorts("{ products(orderBy: [{ field: price }]) { nodes { id } } }"), false)
    assert.equal(sorts(`{ customer(id: "$customer") { orders { nodes { id } } } }`), false)
    assert.equal(sorts("{ products(orderBy: [{ field: name }]) { nodes { id } } }"), true)
  })

  test("notice that an index is gone", () => {
    const copy = `${path}.copy`
    reader.database.exec(`VACUUM INTO '${copy}'`)
    const bare = openSqliteReader(hooks, copy)
    const plan = planOf(`{ customer(id: "$customer") { orders { nodes { id } } } }`)
    const served = bare.read(plan)
    assert.deepEqual([served.scanned, served.sorts], [[], false])
    bare.database.exec('DROP INDEX "order_customer_id_index"')
    const without = bare.read(plan)
    assert.deepEqual([without.scanned, without.sorts], [["order"], false])
    assert.ok(without.rows > 10 * served.rows, `${without.rows} rows`)
  })
})

describe("the plans of PostgreSQL", () => {
  const hooks = cleanUp(after)
  let client: pg.Client
  before(async () => {
    const url = await temporaryPostgres(hooks)
    await setUp(url, commands(postgres))
    client = new pg.Client({ connectionString: url })
    await client.connect()
    hooks.after(() => client.end())
    // Small tables are read whole however many indexes they have; without it only what no index helps is.
    await client.query("SET enable_seqscan = off")
  })

  for (const question of questions)
    test(`touch no more rows than needed: ${question.asks}`, async () => {
      const { scanned, rows } = await readPostgres(client, planOf(question.document))
      assert.deepEqual(unexpected(scanned, question), [])
      assert.ok(rows <= question.rows, `${rows} rows, at most ${question.rows}`)
    })

  test("are made once for all values of a page in the order of an index", async () => {
    const plan = planOf('{ orders(first: 20, after: "$after") { nodes { id } pageInfo { hasNextPage } } }')
    const { text, binds } = compile(plan, postgres)
    const values = parametersOf(plan, binds)
    for (let time = 0; time < 8; time += 1) await client.query({ name: "page", text, values })
    const { rows } = await client.query(
      "SELECT generic_plans::int AS once FROM pg_prepared_statements WHERE name = 'page'",
    )
    assert.deepEqual(rows, [{ once: 3 }]) // PostgreSQL looks at the values of the first five
  })

  test("notice that an index is gone", async () => {
    const plan = planOf(
      `{ products(first: 10, where: { price: { gte: "50.00" } }, orderBy: [{ field: price }]) { nodes { id } } }`,
    )
    await client.query('BEGIN; DROP INDEX "product_price_index"')
    const { scanned, rows } = await readPostgres(client, plan)
    await client.query("ROLLBACK")
    assert.ok(scanned.length > 0 || rows > 100)
  })
})

test("statements for PostgreSQL say how large a page is at most, unless which index is best depends on the values", () => {
  const bounds = (document: string): readonly string[] =>
    [...compile(planOf(document), postgres).text.matchAll(/LIMIT (\d+)/g)].map(([, most = ""]) => most)
  const ordered = (first: number): string =>
    `{ products(first: ${first}, orderBy: [{ field: price }]) { nodes { id } } }`
  assert.deepEqual([1, 10, 11].map(ordered).map(bounds), [["11"], ["11"], ["101"]])
  const category = 'where: { categoryId: { eq: "$category" } }'
  // By category and price, or by price alone.
  assert.deepEqual(bounds(`{ products(${category}, orderBy: [{ field: price }]) { nodes { id } } }`), [])
  // Only by category and name, if at all.
  assert.deepEqual(bounds(`{ products(${category}, orderBy: [{ field: name }]) { nodes { id } } }`), [])
  assert.deepEqual(bounds('{ order(id: "$order") { lines(first: 3) { nodes { id } } } }'), ["11", "1"])
})
