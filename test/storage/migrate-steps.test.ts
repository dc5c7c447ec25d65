// Single migrations on real databases: what is refused and leaves everything as it is, what is filled in, what is left alone.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { cleanUp } from "../support/database.ts"
import { inOrder, migratedDatabases } from "./migrated-databases.ts"
import { customer, plainly, type Refusing, refused, run, shop, text, toCustomer } from "./small-shop.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

const version = `"bifold_version"`
const refusals: readonly Refusing[] = [
  {
    what: "a required field without a default, where records are",
    from: shop({ name: text }),
    to: shop({ name: text, code: text }),
    rows: [`INSERT INTO item (id, name) VALUES ('a', 'A')`],
    told: /^add:item\.code: Records of item are there already, and nothing says which item\.code they have\.$/,
  },
  {
    what: "a required relation, where records are",
    from: shop({ name: text }, {}, { customer }),
    to: shop({ name: text }, { relations: { customer: { kind: "one", target: "customer" } } }, { customer }),
    rows: [`INSERT INTO item (id, name) VALUES ('a', 'A')`],
    told: /^add:item\.customer: Records of item are there already, and nothing says which item\.customer they have\.$/,
    hint: "Make the relation optional first, and required when every record has one.",
  },
  {
    what: "to require a relation that records are without",
    from: shop({ name: text }, toCustomer, { customer }),
    to: shop({ name: text }, { relations: { customer: { kind: "one", target: "customer" } } }, { customer }),
    rows: [`INSERT INTO item (id, name) VALUES ('a', 'A')`],
    told: /^required:item\.customer: Records of item have no customer_id, which would be required\.$/,
    hint: "Fill them in first.",
  },
  {
    what: "all at once: what is no step, what is not allowed, and what records stand in the way of",
    from: shop({ name: text }),
    to: shop({ title: text, code: text }),
    rows: [`INSERT INTO item (id, name) VALUES ('a', 'A')`],
    allow: ["bogus", "drop:item.gone"],
    told: /^No step is called "bogus"\.\ndrop:item\.name: It would remove name of item and all of its values\.\nadd:item\.title: .*\nadd:item\.code: .*$/,
  },
  {
    what: "to require a field that records are without",
    from: shop({ name: { ...text, optional: true } }),
    to: shop({ name: text }),
    rows: [`INSERT INTO item (id, name) VALUES ('a', NULL)`],
    told: /^required:item\.name: Records of item have no name, which would be required\.$/,
  },
  {
    what: "to make unique what is not, under the name that it had",
    from: shop({ name: text }),
    to: shop({ title: { ...text, was: "name", unique: true } }),
    rows: [`INSERT INTO item (id, name) VALUES ('a', 'A'), ('b', 'A')`],
    told: /^unique:item\.title: Records of item have the same name, which would be unique\.$/,
  },
  {
    what: "values that records have to go",
    from: shop({ state: { scalar: "oneOf", of: ["a", "b"] } }),
    to: shop({ state: { scalar: "oneOf", of: ["a"] } }),
    rows: [`INSERT INTO item (id, state) VALUES ('a', 'b')`],
    told: /^values:item\.state: Records of item have another state than a\.$/,
  },
  {
    what: "to lose a type's values without being told to",
    from: shop({ size: { ...text, optional: true } }),
    to: shop({ size: { scalar: "integer", optional: true } }),
    told: /^change:item\.size: It would change size of item from text to integer; its values are lost\.$/,
    hint: "To keep the values, say in `from` what they become. If that is meant: bifold migrate apply --allow change:item.size",
  },
  {
    what: "once another type of a required field, where records are, whatever is allowed",
    from: shop({ size: text }),
    to: shop({ size: { scalar: "integer" } }),
    rows: [`INSERT INTO item (id, size) VALUES ('a', 'A')`],
    allow: ["change:item.size"],
    told: /^change:item\.size: Records of item are there already, and nothing says which item\.size they have\.$/,
    hint: "Say in `from` what their values become. To lose them, give the field a default or make it optional, and --allow change:item.size.",
  },
  {
    what: "the same once where it is not allowed",
    from: shop({ size: text }),
    to: shop({ size: { scalar: "integer" } }),
    rows: [`INSERT INTO item (id, size) VALUES ('a', 'A')`],
    told: /^change:item\.size: Records of item are there already, and nothing says which item\.size they have\.$/,
  },
  {
    what: "to remove a required column without being told to",
    from: shop({ name: text, size: text }),
    to: shop({ name: text }),
    told: /^drop:item\.size: It would remove size of item and all of its values\.$/,
  },
  {
    what: "another key, whatever is allowed",
    from: shop({ name: text }),
    to: shop({ name: text }, { key: ["name"] }),
    allow: ["key:item", "drop:item.id"],
    told: /^key:item: The key of item cannot be changed: records are known by it\.\ndrop:item\.id: id of item is part of the key, which cannot be changed\.$/,
  },
  {
    what: "to remove a table that a column which stays leads to",
    from: shop({ name: text }, toCustomer, { customer }),
    to: shop({ name: text }),
    allow: ["drop:customer"],
    told: /^drop:customer: Columns that stay lead to it\.$/,
  },
]

for (const { name, open } of databases)
  describe(`a migration of ${name}`, () => {
    for (const { what, from, to, rows = [], allow = [], told, hint: expected } of refusals)
      it(`refuses ${what}, and changes nothing`, async (test) => {
        const database = await open()
        test.after(database.close)
        await migrate(database.url, from, { allow: [] })
        await run(database, rows)
        const before = inOrder(await database.found(from))
        const error = await refused(database, to, allow)
        assert.match(error.message, told)
        assert.ok(error.problems.every(({ hint }) => hint !== undefined))
        if (expected) assert.equal(error.problems[0].hint, expected)
        assert.deepEqual(inOrder(await database.found(from)), before)
      })

    it("removes what it is told to, and leaves what is only too much", async (test) => {
      const database = await open()
      test.after(database.close)
      const from = shop({ name: text, note: { ...text, optional: true }, size: text }, toCustomer, {
        customer,
      })
      await migrate(database.url, from, { allow: [] })
      await run(database, [
        `INSERT INTO customer (id, name) VALUES ('c', 'C')`,
        `INSERT INTO item (id, name, note, size, customer_id) VALUES ('a', 'A', 'N', 'S', 'c')`,
      ])
      const to = shop({ name: text })
      const { kept } = await migrate(database.url, to, { allow: ["drop:item.size"] })
      assert.deepEqual(kept.map((step) => step.name).sort(), [
        "drop:customer",
        "drop:item.customerId",
        "drop:item.note",
      ])
      assert.deepEqual(await database.ask(`SELECT id, name, note, customer_id FROM item`).then(plainly), [
        { id: "a", name: "A", note: "N", customer_id: "c" },
      ])
      await migrate(database.url, to, { allow: kept.map((step) => step.name) })
      assert.deepEqual(await compareDatabase(database.url, to), [])
    })

    it("keeps the leftovers of a table that it makes anew, with what they lead to", async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, shop({ name: text }, toCustomer, { customer }), { allow: [] })
      await run(database, [
        `INSERT INTO customer (id, name) VALUES ('c', 'C')`,
        `INSERT INTO item (id, name, customer_id) VALUES ('a', 'A', 'c')`,
      ])
      const to = shop(
        { title: { ...text, was: "name", optional: true } },
        {},
        { buyer: { ...customer, was: "customer" } },
      )
      await migrate(database.url, to, { allow: [] })
      assert.deepEqual(await database.ask(`SELECT title, customer_id FROM item`).then(plainly), [
        { title: "A", customer_id: "c" },
      ])
      if (name === "SQLite") await database.ask("PRAGMA foreign_keys = ON")
      await assert.rejects(
        database.ask(`INSERT INTO item (id, customer_id) VALUES ('b', 'nobody')`),
        /foreign key|FOREIGN KEY/,
      )
    })

    it("fills in a default where records have no value, however many there are", async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, shop({ name: { ...text, optional: true } }), { allow: [] })
      const numbers = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 12001)"
      await run(database, [
        name === "SQLite"
          ? `INSERT INTO item (id, name) ${numbers} SELECT n, CASE WHEN n % 10 = 0 THEN 'kept' END FROM n`
          : `${numbers} INSERT INTO item (id, name) SELECT n, CASE WHEN n % 10 = 0 THEN 'kept' END FROM n`,
      ])
      await migrate(database.url, shop({ name: { ...text, default: "it's" } }), { allow: [] })
      const rows = await database.ask(
        `SELECT name, CAST(count(*) AS text) AS count FROM item GROUP BY name ORDER BY name`,
      )
      assert.deepEqual(plainly(rows), [
        { name: "it's", count: "10801" },
        { name: "kept", count: "1200" },
      ])
    })

    it("changes nothing when there is nothing to change, and says so", async (test) => {
      const database = await open()
      test.after(database.close)
      const model = shop({ name: text })
      assert.equal((await migrate(database.url, model, { allow: [] })).done.length, 2)
      assert.deepEqual(await migrate(database.url, model, { allow: [] }), { done: [], kept: [] })
    })

    it("leaves other people's tables and indexes alone", async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, shop({ name: { ...text, optional: true } }), { allow: [] })
      await run(database, [
        "CREATE TABLE theirs (id text PRIMARY KEY)",
        "CREATE INDEX by_length ON item (length(name))",
        "CREATE INDEX by_name ON item (name)",
      ])
      await migrate(database.url, shop({ title: { ...text, was: "name", default: "none" } }), { allow: [] })
      const system =
        name === "SQLite"
          ? "SELECT name FROM sqlite_schema"
          : "SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema()"
      const names = (await database.ask(system)).map((row) => row["name"])
      assert.ok(names.includes("by_length") && names.includes("by_name"))
      await database.ask("SELECT id FROM theirs")
    })

    it("removes no table that somebody else's records lead to", async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, shop({ name: text }, {}, { customer }), { allow: [] })
      await run(database, [
        `INSERT INTO customer (id, name) VALUES ('c', 'C')`,
        "CREATE TABLE theirs (id text PRIMARY KEY, customer text REFERENCES customer (id))",
        `INSERT INTO theirs (id, customer) VALUES ('t', 'c')`,
      ])
      const to = shop({ title: { ...text, was: "name" } })
      const { message } = await refused(database, to, ["drop:customer"])
      assert.equal(
        message,
        "drop:customer: theirs, which is not of this service, leads to customer by customer.",
      )
      await database.ask("DROP TABLE theirs")
      await migrate(database.url, to, { allow: ["drop:customer"] })
    })

    it(`begins to count the writes of records with ${version}`, async (test) => {
      const database = await open()
      test.after(database.close)
      await migrate(database.url, shop({ name: text }), { allow: [] })
      await run(database, [
        `INSERT INTO item (id, name) VALUES ('a', 'A')`,
        `ALTER TABLE item DROP COLUMN ${version}`,
      ])
      await migrate(database.url, shop({ name: text }), { allow: [] })
      assert.deepEqual(plainly(await database.ask(`SELECT CAST(${version} AS text) AS counted FROM item`)), [
        { counted: "1" },
      ])
    })
  })
