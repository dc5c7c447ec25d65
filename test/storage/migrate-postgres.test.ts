// Single migrations of PostgreSQL databases: what would stop one halfway, what was left unfinished, and locks.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { load } from "../../src/model/load.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { cleanUp } from "../support/database.ts"
import { type Database, inOrder, migratedDatabases } from "./migrated-databases.ts"
import { customer, plainly, type Refusing, refused, run, shop, text, toCustomer } from "./small-shop.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

describe("a migration of PostgreSQL by itself", () => {
  const open = databases[1]?.open ?? assert.fail()

  it("makes an index again whose making was cut short", async (test) => {
    const database = await open()
    test.after(database.close)
    await migrate(database.url, shop({ name: text }), { allow: [] })
    await run(database, [`INSERT INTO item (id, name) VALUES ('a', 'A'), ('b', 'A')`])
    await assert.rejects(database.ask("CREATE UNIQUE INDEX CONCURRENTLY item_name_key ON item (name)"))
    await run(database, [`UPDATE item SET name = id`])
    const model = shop({ name: { ...text, unique: true } })
    await migrate(database.url, model, { allow: [] })
    assert.deepEqual(await compareDatabase(database.url, model), [])
    const [index] = (await database.found(model)).find((table) => table.name.name === "item")?.indexes ?? []
    assert.equal(index?.valid, true)
  })

  it("gives a column another collation with its values in place, and says that it is that", async (test) => {
    const database = await open()
    test.after(database.close)
    const model = load({
      name: "shop",
      resources: {
        item: { key: ["code"], fields: { code: text, note: { ...text, optional: true } } },
        line: { fields: { title: text }, relations: { item: { kind: "one", target: "item" } } },
      },
    })
    await migrate(database.url, model, { allow: [] })
    await run(database, [
      "ALTER TABLE item DROP COLUMN note",
      "ALTER TABLE item ADD COLUMN note text",
      `ALTER TABLE item ALTER COLUMN code TYPE text COLLATE "und-x-icu"`,
      "INSERT INTO item (code, note) VALUES ('a', 'N')",
      "INSERT INTO line (id, title, item_id) VALUES (gen_random_uuid(), 'T', 'a')",
    ])
    assert.deepEqual(
      (await compareDatabase(database.url, model)).map(({ says, loses }) => [says, loses]),
      [
        ['change the collation of code of item from "und-x-icu" to "C"', false],
        [`change the collation of note of item from the database's own to "C"`, false],
      ],
    )
    await migrate(database.url, model, { allow: [] })
    assert.deepEqual(await compareDatabase(database.url, model), [])
    assert.deepEqual(plainly(await database.ask("SELECT code, note FROM item")), [{ code: "a", note: "N" }])
  })

  it("renames the last events of a resource, which may wait for handlers, together with its table", async (test) => {
    const database = await open()
    test.after(database.close)
    const logged = (name: string, rest: object = {}) =>
      load({
        name: "shop",
        resources: { [name]: { id: "itm", history: true, fields: { title: text }, ...rest } },
      })
    await migrate(database.url, logged("item"), { allow: [] })
    await run(database, [
      `INSERT INTO bifold_log (resource, record, version, number, type, at) SELECT 'item', 'itm_1', n::text, n, 'item.updated', now() FROM generate_series(1, 12000) AS n`,
    ])
    const said: string[] = []
    const say = (told: string): void => void said.push(told)
    await migrate(database.url, logged("piece", { was: "item" }), { allow: [], say })
    assert.deepEqual(
      said.filter((told) => told.startsWith("…")),
      ["… 5,000 records", "… 7,000 records"],
    )
    assert.deepEqual(await database.ask("SELECT DISTINCT resource, type FROM bifold_log"), [
      { resource: "piece", type: "piece.updated" },
    ])
  })

  const bytes = (count: number): string =>
    `(SELECT string_agg(md5(i::text), '') FROM generate_series(1, ${count / 32}) AS i)`
  const indexed = shop(
    { title: { ...text, was: "name" }, code: { ...text, optional: true } },
    { indexes: [["title", "code"]] },
  )
  const views = [
    `CREATE VIEW "Sizes" AS SELECT size FROM item`,
    `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'`,
    `CREATE TRIGGER noted BEFORE UPDATE OF size ON item FOR EACH ROW EXECUTE FUNCTION nothing()`,
  ]
  const stopped: readonly Refusing[] = [
    {
      what: "to make unique what an index has no room for",
      from: shop({ name: text, code: text }),
      to: shop({ title: { ...text, was: "name", unique: true }, code: text }),
      rows: [`INSERT INTO item (id, name, code) VALUES ('a', ${bytes(8_000)}, 'c')`],
      told: /^unique:item\.title: Records of item have more than 2680 bytes in name, for which an index has no room\.$/,
    },
    {
      what: "an index on what is too long together",
      from: shop({ name: text, code: { ...text, optional: true } }),
      to: indexed,
      rows: [`INSERT INTO item (id, name, code) VALUES ('a', ${bytes(1_600)}, ${bytes(1_280)})`],
      told: /^index:item\.title_code_id: Records of item have more than 2664 bytes in name, code, id together, for which an index has no room\.$/,
    },
    {
      what: "another type of what a view shows",
      from: shop({ name: text, size: { scalar: "integer" } }),
      to: shop({ title: { ...text, was: "name" }, size: { scalar: "int64" } }),
      rows: views,
      told: /^change:item\.size: Something in the database needs size of item as it is: trigger noted on table item, view "Sizes"\.$/,
    },
    {
      what: "to lose the values of what a view shows",
      from: shop({ name: text, size: { scalar: "integer", optional: true } }),
      to: shop({ title: { ...text, was: "name" }, size: { scalar: "boolean", optional: true } }),
      rows: views,
      allow: ["change:item.size"],
      told: /^change:item\.size: Something in the database needs size of item as it is: .*view "Sizes"\.$/,
    },
    {
      what: "to remove what a view shows",
      from: shop({ name: text, size: { scalar: "integer" } }),
      to: shop({ title: { ...text, was: "name" } }),
      rows: views,
      allow: ["drop:item.size"],
      told: /^drop:item\.size: Something in the database needs size of item as it is: .*view "Sizes"\.$/,
    },
    {
      what: "to remove a table that a view shows",
      from: shop({ name: text }, {}, { customer }),
      to: shop({ title: { ...text, was: "name" } }),
      rows: ["CREATE MATERIALIZED VIEW people AS SELECT name FROM customer"],
      allow: ["drop:customer"],
      told: /^drop:customer: Something in the database needs customer as it is: materialized view people\.$/,
    },
  ]
  for (const { what, from, to, rows = [], allow = [], told } of stopped)
    it(`refuses ${what}, before anything is changed`, async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, from, { allow: [] })
      await run(database, rows)
      const before = inOrder(await database.found(from))
      assert.match((await refused(database, to, allow)).message, told)
      assert.deepEqual(inOrder(await database.found(from)), before)
    })

  it("makes an index that there is room for, with values as long as can be", async (test) => {
    const database = await open()
    test.after(database.close)
    await migrate(database.url, shop({ name: text, code: { ...text, optional: true } }), { allow: [] })
    const almost = (most: number): string => `left(${bytes(3_200)}, ${most})`
    await run(database, [
      `INSERT INTO item (id, name, code) VALUES ('a', ${almost(2_658)}, NULL), ('b', ${almost(1_326)}, ${almost(1_326)}), ('c', repeat('c', 100000), 'c')`,
      `CREATE INDEX by_name ON item (name)`,
    ])
    await migrate(database.url, indexed, { allow: [] })
    assert.deepEqual(await compareDatabase(database.url, indexed), [])
  })

  it("removes a table with all that is on it", async (test) => {
    const database = await open()
    test.after(database.close)
    await migrate(database.url, shop({ name: text }, {}, { customer }), { allow: [] })
    await run(database, [
      `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'`,
      `CREATE TRIGGER noted BEFORE UPDATE OF name ON customer FOR EACH ROW EXECUTE FUNCTION nothing()`,
      `CREATE POLICY own ON customer USING (name = current_user)`,
      `CREATE RULE kept AS ON DELETE TO customer WHERE old.name = 'me' DO INSTEAD NOTHING`,
    ])
    await migrate(database.url, shop({ name: text }), { allow: ["drop:customer"] })
    assert.deepEqual(await compareDatabase(database.url, shop({ name: text })), [])
  })

  it("ends what was left unfinished: checks, foreign keys and the help for required columns", async (test) => {
    const database = await open()
    test.after(database.close)
    const choice = { scalar: "oneOf", of: ["a", "b"], optional: true } as const
    await migrate(database.url, shop({ state: { ...text, optional: true } }, toCustomer, { customer }), {
      allow: [],
    })
    await run(database, [
      `ALTER TABLE item DROP CONSTRAINT item_customer_id_fkey`,
      `ALTER TABLE item ADD CONSTRAINT item_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer (id) NOT VALID`,
      `ALTER TABLE item ADD CONSTRAINT item_state_check CHECK (state IN ('a', 'b')) NOT VALID`,
      `ALTER TABLE customer ADD CONSTRAINT bifold_filled_name CHECK (name IS NOT NULL) NOT VALID`,
    ])
    const model = shop({ state: choice }, toCustomer, { customer })
    const steps = await compareDatabase(database.url, model)
    assert.deepEqual(steps.map((step) => step.name).sort(), [
      "check:item.state",
      "link:item.customer_id",
      "values:customer.name",
    ])
    await migrate(database.url, model, { allow: [] })
    assert.deepEqual(await compareDatabase(database.url, model), [])
  })

  it("says of each step when it begins", async (test) => {
    const database = await open()
    const other = await openBeside(database)
    test.after(async () => {
      await other.close()
      await database.close()
    })
    await migrate(database.url, shop({ name: text }), { allow: [] })
    await database.ask("BEGIN")
    await database.ask("INSERT INTO item (id, name) VALUES ('a', 'A')")
    const said: string[] = []
    const model = shop(
      { name: { ...text, unique: true }, note: { ...text, optional: true } },
      {},
      { customer },
    )
    const migrated = migrate(database.url, model, { allow: [], say: (told) => said.push(told) })
    while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.deepEqual(said, ["make the table customer", "add note text to item"], "the last waits for a lock")
    await database.ask("COMMIT")
    await migrated
    assert.deepEqual(said.slice(2), ["make the unique index item_name_key on item (name)"])
  })

  it("waits for locks a little at a time, so that others are not kept waiting", async (test) => {
    const database = await open()
    const other = await openBeside(database)
    test.after(async () => {
      await other.close()
      await database.close()
    })
    await migrate(database.url, shop({ name: text }), { allow: [] })
    await database.ask("BEGIN")
    await database.ask("SELECT * FROM item")
    const migrated = migrate(database.url, shop({ name: { ...text, optional: true } }), { allow: [] })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const asked = performance.now()
    await other.ask("SET statement_timeout = 2400")
    await other.ask("SELECT * FROM item")
    const waited = performance.now() - asked
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await database.ask("COMMIT")
    assert.deepEqual(
      (await migrated).done.map((step) => step.name),
      ["optional:item.name"],
    )
    assert.ok(waited < 2_400, `others waited for ${waited} ms`)
  })
})

async function openBeside({ url }: Database): Promise<Pick<Database, "ask" | "close">> {
  const { default: pg } = await import("pg")
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { ask: async (sql) => (await client.query(sql)).rows, close: () => client.end() }
}
