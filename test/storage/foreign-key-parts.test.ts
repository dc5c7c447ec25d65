// Composite keys of which the database makes a part: partitioned tables with a counter, and defaults of a key's column.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { inspectSql, serveWriting } from "../introspection/databases.ts"
import { type Database, dialects } from "../support/open-service.ts"

const tables: Readonly<Record<Database, string>> = {
  postgres: `
    CREATE TABLE shop (id serial PRIMARY KEY, name text NOT NULL);
    CREATE TABLE sale (id bigserial, day date NOT NULL, note text, shop_id int REFERENCES shop, PRIMARY KEY (id, day))
      PARTITION BY RANGE (day);
    CREATE TABLE sale_old PARTITION OF sale FOR VALUES FROM ('2000-01-01') TO ('2026-01-01');
    CREATE TABLE sale_new PARTITION OF sale DEFAULT;
    CREATE TABLE item (sale_id bigint, sale_day date, place int, PRIMARY KEY (sale_id, sale_day, place),
      FOREIGN KEY (sale_id, sale_day) REFERENCES sale (id, day));
    CREATE TABLE reading (region text NOT NULL, id int GENERATED ALWAYS AS IDENTITY, value int, PRIMARY KEY (region, id))
      PARTITION BY LIST (region);
    CREATE TABLE reading_all PARTITION OF reading DEFAULT;
    CREATE TABLE whole (code text DEFAULT 'c' || nextval('shop_id_seq'), id uuid DEFAULT gen_random_uuid(), v int, PRIMARY KEY (code, id));`,
  sqlite: `
    CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE sale (id BIGINT DEFAULT (1 + abs(random() % 1000000)), day DATE NOT NULL, note TEXT, shop_id INTEGER REFERENCES shop (id), PRIMARY KEY (id, day));
    CREATE TABLE item (sale_id BIGINT, sale_day DATE, place INTEGER, PRIMARY KEY (sale_id, sale_day, place),
      FOREIGN KEY (sale_id, sale_day) REFERENCES sale (id, day));
    CREATE TABLE reading (region TEXT NOT NULL, id INTEGER DEFAULT (abs(random() % 1000000)), value INTEGER, PRIMARY KEY (region, id));
    CREATE TABLE whole (code TEXT DEFAULT (hex(randomblob(4))), id TEXT DEFAULT (hex(randomblob(4))), v INTEGER, PRIMARY KEY (code, id));`,
}

/** A made part is some number, or text, which the answer tells. */
const of = (json: Readonly<Record<string, unknown>>, made: RegExp): string => {
  assert.match(String(json["id"]), made, JSON.stringify(json))
  return String(json["id"])
}

for (const database of dialects)
  describe(`keys of which the database makes a part: ${database}`, { concurrency: true }, () => {
    it("make a record, whose address and members have the part", async (t) => {
      const { ask, rest } = await serveWriting(t, await inspectSql(t, database, tables[database]))
      const made = await ask("POST", "/sales", { day: "2025-01-01", note: "a" })
      assert.equal(made.status, 201, JSON.stringify(made.json))
      const id = of(made.json, /^sale_\d+~2025-01-01$/)
      assert.equal(made.json["idValue"], /\d+/.exec(id)?.[0])
      const body = Buffer.from(JSON.stringify({ day: "2026-01-01" }))
      const headers = { "content-type": "application/json" }
      const located = await rest({ method: "POST", path: "/sales", query: "", headers, body })
      assert.equal(located.headers["location"], `/sales/${JSON.parse(located.body).id}`)
      const read = await ask("GET", `/sales/${id}`)
      assert.deepEqual(read.json, made.json)
      const changed = await ask("PATCH", `/sales/${id}`, { note: "b" })
      assert.deepEqual(changed.json, { ...made.json, note: "b" })
      const given = await ask("POST", "/sales", { idValue: "5000000", day: "2025-01-01" })
      assert.equal(given.json["id"], "sale_5000000~2025-01-01")
      const all = await ask("POST", "/wholes", { v: 1 })
      of(all.json, /^whole_\w+~[\w-]+$/)
      assert.equal(all.json["id"], `whole_${all.json["code"]}~${all.json["idValue"]}`)
    })

    it("make several, nested ones, and ones that a batch refers to", async (t) => {
      const { ask } = await serveWriting(t, await inspectSql(t, database, tables[database]))
      const days = [{ day: "2025-01-01" }, { day: "2026-01-01" }]
      const several = await ask("POST", "/sales", days)
      assert.equal((several.json["data"] as readonly unknown[]).length, 2, JSON.stringify(several.json))
      const down = await ask("POST", "/sales?include=shop,items", {
        day: "2026-01-01",
        shop: { create: { name: "s" } },
        items: { create: [{ place: 1 }, { place: 2 }] },
      })
      const id = of(down.json, /^sale_\d+~2026-01-01$/)
      assert.deepEqual(
        (down.json["items"] as { data: readonly Record<string, unknown>[] }).data.map((item) => [
          item["id"],
          item["saleRecordId"],
        ]),
        [1, 2].map((place) => [`item_${id.slice(5)}~${place}`, id]),
      )
      const up = await ask("POST", "/shops?include=sales", { name: "z", sales: { create: days } })
      assert.equal((up.json["sales"] as { data: readonly unknown[] }).data.length, 2)
      const batch = await ask("POST", "/batch", {
        requests: [
          { id: "s", method: "POST", path: "/sales", body: { day: "2025-01-01" } },
          { method: "POST", path: "/items", body: { place: 3, saleRecordId: { $ref: "s.id" } } },
        ],
      })
      const answers = batch.json["responses"] as readonly { body: Record<string, unknown> }[]
      assert.equal(answers[1]?.body["saleRecordId"], answers[0]?.body["id"], JSON.stringify(batch.json))
    })

    it("make records by GraphQL", async (t) => {
      const { mutate } = await serveWriting(t, await inspectSql(t, database, tables[database]))
      const { json } = await mutate(`mutation {
        a: createSale(input: { day: "2025-02-02", items: { create: [{ place: 1 }] } }) { sale { id etag items { nodes { id } } } }
        b: createSales(input: [{ day: "2025-02-02" }, { day: "2026-02-02" }]) { sales { id } }
        c: createReading(input: { region: "us" }) { reading { id idValue } }
        d: createWhole(input: {}) { whole { id } } }`)
      assert.equal(json["errors"], undefined, JSON.stringify(json))
      const data = json["data"] as {
        a: { sale: { id: string; items: { nodes: readonly { id: string }[] } } }
      }
      assert.equal(data.a.sale.items.nodes[0]?.id, `item_${data.a.sale.id.slice(5)}~1`)
    })

    it("are chosen by PUT where the part may be given", async (t) => {
      const { ask } = await serveWriting(t, await inspectSql(t, database, tables[database]))
      assert.equal((await ask("PUT", "/sales/99~2025-01-01", { note: "put" })).status, 201)
      assert.equal((await ask("PUT", "/sales/99~2025-01-01", { note: "again" })).status, 200)
      const made = await ask("POST", "/readings", { region: "eu", value: 1 })
      const id = of(made.json, /^reading_eu~\d+$/)
      assert.deepEqual((await ask("PUT", `/readings/${id}`, { value: 2 })).json, { ...made.json, value: 2 })
      // PostgreSQL lets nobody choose a part that is GENERATED ALWAYS.
      const other = await ask("PUT", "/readings/eu~5000000", { value: 1 })
      assert.equal(other.status, database === "postgres" ? 404 : 201, JSON.stringify(other.json))
    })
  })
