// What is computed beside the tables: it has no columns, stands over other people's tables, and rules that look at it are
// asked again when what it comes from is written.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, many, one, resource, role, service } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { findMismatches } from "../../src/model/introspection/schema-mismatches.ts"
import { printDeclaration } from "../../src/model/language/print.ts"
import { load } from "../../src/model/load.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { inspect } from "../../src/storage/introspection/inspect.ts"
import { openStorage } from "../../src/storage/open.ts"
import { startService } from "../../src/tools/testing/start-service.ts"
import { makeDatabase } from "../introspection/databases.ts"
import { bakery } from "../services/bakery.ts"
import { connectFaces, dialects } from "../support/open-service.ts"

test("what is computed is in no table", () => {
  const model = load(bakery)
  for (const dialect of [sqlite, postgres]) {
    const makes = (statement: string): boolean => !statement.startsWith("INSERT")
    const text = createSchema(model, dialect).filter(makes).join("\n")
    assert.match(text, /"first"/)
    assert.doesNotMatch(text, /full_?name|line_?count|=|"total"/i)
  }
})

test("mistakes in conditions are told when the service is opened, with their places", () => {
  const broken: ServiceDeclaration = service({
    name: "broken",
    resources: {
      item: resource({
        fields: {
          size: f.integer(),
          big: f.text({
            computed: {
              concat: [
                { value: "" },
                {
                  if: {
                    when: { sise: { gt: 1 }, size: { over: 2 } },
                    give: { value: "a" },
                    else: { value: "b" },
                  },
                },
              ],
            },
          }),
        },
        allow: { read: anyone },
      }),
    },
  })
  assert.throws(
    () => loadService(broken),
    (error: { problems: readonly { code: string; place: readonly unknown[]; message: string }[] }) => {
      const when = ["resources", "item", "fields", "big", "computed", "concat", 1, "if", "when"]
      assert.deepEqual(
        error.problems.map(({ code, place }) => [code, place]),
        [
          ["invalid_declaration", [...when, "size", "over"]],
          ["invalid_declaration", [...when, "sise"]],
        ],
      )
      return true
    },
  )
})

/** Tables of somebody else's, whose columns hold values in several forms. */
const foreign = {
  sqlite: `
    CREATE TABLE bills (id INTEGER PRIMARY KEY, net NUMERIC, tax TEXT, at DATETIME, paid BOOLEAN, who);
    CREATE TABLE parts (id INTEGER PRIMARY KEY, bill INTEGER, amount REAL);
    INSERT INTO bills VALUES (1, 10.1, '1.25', '2024-01-02 03:04:05', 1, 'ann'), (2, 7, NULL, 1704164645, 'false', 42);
    INSERT INTO parts VALUES (1, 1, 0.1), (2, 1, 0.2), (3, 2, NULL);`,
  postgres: `
    CREATE TYPE who AS ENUM ('ann', '42');
    CREATE TABLE bills (id integer PRIMARY KEY, net numeric, tax numeric, at timestamp, paid boolean, who who);
    CREATE TABLE parts (id integer PRIMARY KEY, bill integer, amount numeric);
    INSERT INTO bills VALUES (1, 10.1, 1.25, '2024-01-02 03:04:05', true, 'ann'), (2, 7, NULL, '2024-01-02 03:04:05', false, '42');
    INSERT INTO parts VALUES (1, 1, 0.1), (2, 1, 0.2), (3, 2, NULL);`,
} as const

const bills = (database: "sqlite" | "postgres") => {
  const loose = database === "sqlite" ? ({ stored: "loose" } as const) : {}
  const local = database === "sqlite" ? ({ stored: "loose" } as const) : ({ stored: "local" } as const)
  const cast = database === "sqlite" ? ({ stored: "loose" } as const) : ({ stored: "cast" } as const)
  return service({
    name: "bills",
    managed: false,
    resources: {
      bill: resource({
        key: { column: "id", type: "integer", ...loose },
        table: "bills",
        fields: {
          net: f.decimal(loose),
          tax: f.decimal({ optional: true, ...loose }),
          at: f.timestamp(local),
          paid: f.boolean(loose),
          who: f.text(cast),
          gross: f.decimal({
            precision: 12,
            scale: 2,
            computed: { multiply: ["net", { add: [1, { coalesce: ["tax", { value: "0.005" }] }] }] },
          }),
          settled: f.timestamp({
            optional: true,
            computed: { if: { when: { paid: { eq: true } }, give: "at" } },
          }),
          name: f.text({ computed: { concat: [{ upper: "who" }, { value: "!" }] } }),
          parts: f.decimal({ precision: 8, scale: 3, computed: { sum: ["pieces", "amount"] } }),
        },
        relations: { pieces: many("piece", { by: "bill" }) },
        allow: { read: anyone, update: anyone },
      }),
      piece: resource({
        key: { column: "id", type: "integer", ...loose },
        table: "parts",
        fields: { amount: f.decimal({ optional: true, precision: 8, scale: 3, ...loose }) },
        relations: { bill: one("bill", { column: "bill" }) },
        allow: { read: anyone },
      }),
    },
  })
}

for (const database of dialects)
  describe(`beside the tables, on ${database}`, () => {
    const server = database === "sqlite" ? "sqlite" : (process.env["BIFOLD_TEST_POSTGRES"] ?? "")

    test("what is computed of other people's columns is as exact as of one's own", async (context) => {
      const url = await makeDatabase(context, database, foreign[database])
      const model = loadService(bills(database))
      assert.deepEqual(findMismatches(model, await inspect(url)), [])
      const storage = await openStorage(url, { writes: "unsafe" })
      context.after(() => storage.close())
      const actor = strangerTo(model)
      const { rest } = connectFaces(actor.model, storage, { actor })
      const fields = "fields=gross,settled,name,parts"
      const ask = async (query: string) => {
        const { status, body } = await rest({ method: "GET", path: "/bills", query })
        assert.equal(status, 200, body)
        return (JSON.parse(body) as { data: object[] }).data
      }
      const [first, second] = [
        { id: "bill_1", gross: "22.73", settled: "2024-01-02T03:04:05Z", name: "ANN!", parts: "0.300" },
        { id: "bill_2", gross: "7.04", settled: null, name: "42!", parts: "0.000" },
      ]
      assert.deepEqual(await ask(fields), [first, second])
      assert.deepEqual(await ask(`${fields}&sort=gross`), [second, first])
      assert.deepEqual(await ask(`${fields}&filter[settled][gte]=2024-01-02T03:04:05Z`), [first])
      assert.deepEqual(await ask(`${fields}&filter[parts]=0.3`), [first])
      const read = await rest({ method: "GET", path: "/bills/1", query: "fields=gross" })
      const etag = read.headers["etag"] ?? ""
      const write = (value: string, match: string) =>
        rest({
          method: "PATCH",
          path: "/bills/1",
          query: "fields=gross",
          headers: { "content-type": "application/json", "if-match": match },
          body: Buffer.from(JSON.stringify({ net: value })),
        })
      const written = await write("20", etag)
      assert.deepEqual([written.status, written.body], [200, `{"id":"bill_1","gross":"45.00"}`])
      assert.equal((await write("30", etag)).status, 412)
    })

    test("rules that look at it are asked of what is written", async () => {
      const rows = service({
        name: "rows",
        roles: ["boss"],
        resources: {
          row: resource({
            id: "row",
            fields: {
              a: f.integer(),
              b: f.integer({ default: 0 }),
              free: f.text({ default: "" }),
              sum: f.integer({ computed: { add: ["a", "b"] } }),
              twice: f.integer({ computed: { multiply: ["sum", 2] } }),
              under: f.integer({ computed: { count: "below" } }),
            },
            relations: { above: one("row", { optional: true }), below: many("row", { by: "above" }) },
            allow: { read: anyone, create: anyone, update: { twice: { lt: 20 }, under: { lt: 2 } } },
          }),
        },
      })
      await using opened = await startService(rows, {
        database: server,
        records: {
          row: [
            { id: "row_1", a: 1 },
            { id: "row_2", a: 9, b: 9 },
          ],
        },
      })
      const patch = (id: string, body: object) =>
        opened.anyone.rest<Record<string, unknown>>("PATCH", `/rows/${id}`, body)
      const changed = await patch("row_1", { a: 4, free: "x" })
      assert.deepEqual([changed.status, changed.body["sum"], changed.body["twice"]], [200, 4, 8])
      assert.equal((await patch("row_2", { free: "y" })).status, 403)
      assert.equal((await patch("row_1", { b: 6 })).status, 403)
      assert.equal((await patch("row_1", { b: 5 })).status, 200)
      const made = await opened.anyone.graphql(
        `mutation { createRow(input: { a: 1, aboveId: "row_1" }) { row { sum under above { under twice } } } }`,
      )
      assert.deepEqual(made.data, {
        createRow: { row: { sum: 1, under: 0, above: { under: 1, twice: 18 } } },
      })
      const counted = await patch("row_1", { free: "z" })
      assert.deepEqual([counted.status, counted.body["under"]], [200, 1])
      // What is counted is counted before: the record itself does not count yet.
      const self = await patch("row_1", { aboveId: "row_1" })
      assert.equal(self.status, 200)
      assert.equal((await patch("row_1", { free: "two" })).status, 403)
    })
  })

test("a declaration with expressions is printed as it was written", () => {
  const text = printDeclaration(bakery)
  assert.match(text, /computed: \{ multiply: \["quantity", "price"\] \}/)
})

test("who may see a sum is its own rule's business, not that of what is summed", () => {
  const audience = strangerTo(load(bakery)).model.resources.get("order")
  assert.ok(audience?.fields.has("told") && !audience.fields.has("secret") && !audience.fields.has("margin"))
  assert.equal(role("baker").role, "baker")
})
