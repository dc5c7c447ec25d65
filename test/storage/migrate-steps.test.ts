// Single migrations on real databases: what is refused and leaves everything as it is, what is filled in, what is left alone.
import assert from "node:assert/strict"
import { chmod } from "node:fs/promises"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import type { FieldDeclaration, ResourceDeclaration } from "../../src/model/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { compareDatabase, migrate } from "../../src/storage/migrate.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { type Database, inOrder, migratedDatabases } from "./migrated-databases.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

const text: FieldDeclaration = { scalar: "text" }
const shop = (
  fields: Readonly<Record<string, FieldDeclaration>>,
  rest: Partial<ResourceDeclaration> = {},
  others: Readonly<Record<string, ResourceDeclaration>> = {},
): Model => load({ name: "shop", resources: { item: { fields, ...rest }, ...others } })

const customer: ResourceDeclaration = { fields: { name: text } }
const toCustomer = { relations: { customer: { kind: "one", target: "customer", optional: true } } } as const

interface Refusing {
  readonly what: string
  readonly from: Model
  readonly to: Model
  readonly rows?: readonly string[]
  readonly allow?: readonly string[]
  readonly told: RegExp
  readonly hint?: string
}

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

async function refused(database: Database, model: Model, allow: readonly string[]): Promise<Refusal> {
  try {
    await migrate(database.url, model, { allow })
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return error
  }
  throw new Error("it was not refused")
}

const run = (database: Database, commands: readonly string[]): Promise<void> =>
  commands.reduce<Promise<void>>(async (before, command) => {
    await before
    await database.ask(command)
  }, Promise.resolve())

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

const plainly = (rows: readonly object[]): readonly object[] => rows.map((row) => ({ ...row }))

describe("a migration of SQLite by itself", () => {
  it("keeps triggers and views of a table that it makes anew", async (test) => {
    const database = await (databases[0] ?? assert.fail()).open()
    test.after(database.close)
    await migrate(database.url, shop({ name: { ...text, optional: true } }), { allow: [] })
    await run(database, [
      "CREATE TABLE log (what TEXT)",
      "CREATE TRIGGER noted AFTER INSERT ON item BEGIN INSERT INTO log VALUES (new.name); END",
      "CREATE VIEW names AS SELECT name FROM item",
    ])
    await migrate(database.url, shop({ title: { ...text, was: "name", default: "none" } }), { allow: [] })
    await run(database, [`INSERT INTO item (id, title) VALUES ('a', 'A')`])
    assert.deepEqual(
      plainly(await database.ask("SELECT what, (SELECT count(*) FROM names) AS count FROM log")),
      [{ what: "A", count: 1 }],
    )
  })
})

describe("a SQLite file that may not be written", () => {
  /** The system's administrator may write anywhere. */
  const asNobody = async (work: () => Promise<unknown>): Promise<unknown> => {
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.("nobody")
    try {
      return await work().catch((fault: unknown) => fault)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  }

  it("is refused with the permission that is missing", async (test) => {
    const folder = await temporaryFolder(test)
    const path = join(folder, "shop.db")
    await migrate(path, shop({ name: text }), { allow: [] })
    const next = shop({ name: text, note: { ...text, optional: true } })
    await chmod(path, 0o666)
    await chmod(folder, 0o555)
    const hints = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
      const error = await asNobody(work)
      assert.ok(error instanceof Refusal, String(error))
      return error.problems.map(({ message, hint }) => [message, hint?.split(":")[0]])
    }
    const missing = [
      `The SQLite file ${path} cannot be written.`,
      "This user may not write to the file, or not to its folder, where SQLite keeps its log beside it",
    ]
    assert.deepEqual(await hints(() => migrate(path, next, { allow: [] })), [missing])
    assert.deepEqual(await hints(() => compareDatabase(path, next)), [missing])
    const fresh = join(folder, "new.db")
    assert.deepEqual(await hints(() => migrate(fresh, next, { allow: [] })), [
      [
        `The SQLite file ${fresh} cannot be read.`,
        "Check that the file exists, or else its folder, and that this user may read and write there.",
      ],
    ])
    await chmod(folder, 0o755)
  })
})

describe("a SQLite file that another process writes to", () => {
  for (const mode of ["wal", "delete"])
    it(`is waited for, which is said (${mode})`, async (test) => {
      const database = await (databases[0] ?? assert.fail()).open()
      test.after(database.close)
      await run(database, [
        `PRAGMA journal_mode = ${mode}`,
        "CREATE TABLE theirs (id TEXT)",
        "BEGIN IMMEDIATE",
      ])
      const said: string[] = []
      const migrated = migrate(database.url, shop({ name: text }), {
        allow: [],
        say: (told) => said.push(told),
      })
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      assert.deepEqual(said, ["wait for another process that writes to this database"])
      await database.ask("COMMIT")
      assert.equal((await migrated).done.length, 2)
      assert.equal(said.length, 3)
    })
})

describe("a SQLite file with somebody else's tables", () => {
  const theirs = [
    "PRAGMA foreign_keys = OFF",
    "CREATE TABLE parent (a TEXT, b TEXT)",
    "CREATE TABLE mismatched (id INTEGER PRIMARY KEY, parent TEXT REFERENCES parent (a))",
    "CREATE TABLE dangling (id INTEGER PRIMARY KEY, item TEXT REFERENCES item (id))",
    "INSERT INTO dangling VALUES (1, 'nobody')",
  ]

  it("is migrated whatever their foreign keys are like", async (test) => {
    const database = await (databases[0] ?? assert.fail()).open()
    test.after(database.close)
    await migrate(database.url, shop({ name: { ...text, optional: true } }), { allow: [] })
    await run(database, theirs)
    const again = shop({ name: { ...text, optional: true }, code: { ...text, optional: true } })
    assert.equal((await migrate(database.url, again, { allow: [] })).done.length, 1)
    assert.equal((await migrate(database.url, again, { allow: [] })).done.length, 0)
    const anew = shop({ name: text, code: { ...text, optional: true } }, toCustomer, { customer })
    await migrate(database.url, anew, { allow: [] })
    assert.deepEqual(await compareDatabase(database.url, anew), [])
  })

  it("is not left with records of the service's own that lead to nowhere", async (test) => {
    const database = await (databases[0] ?? assert.fail()).open()
    test.after(database.close)
    await migrate(database.url, shop({ name: { ...text, optional: true } }, toCustomer, { customer }), {
      allow: [],
    })
    await run(database, [...theirs, `INSERT INTO item (id, name, customer_id) VALUES ('a', 'A', 'nobody')`])
    const { message } = await refused(database, shop({ name: text }, toCustomer, { customer }), [])
    assert.match(message, /records of item would lead to records of customer that are not there/)
  })
})

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
