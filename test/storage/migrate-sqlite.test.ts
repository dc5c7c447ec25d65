// Single migrations of SQLite files: what is kept of tables that are made anew, and other people, who write to the file or have tables in it.
import assert from "node:assert/strict"
import { chmod } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { migratedDatabases } from "./migrated-databases.ts"
import { customer, plainly, refused, run, shop, text, toCustomer } from "./small-shop.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

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

describe("checks of JSON", () => {
  const listing = shop({ tags: { scalar: "json", optional: true } })

  it("hold by themselves where there is no value, and older ones are left as they are", async () => {
    const path = join(await temporaryFolder(hooks), "json.db")
    await migrate(path, listing, { allow: [] })
    const database = new DatabaseSync(path)
    const { sql } = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'item'").get() as {
      readonly sql: string
    }
    const guard = '"tags" IS NULL OR '
    assert.ok(sql.includes(`CHECK (${guard}json_valid("tags"))`), sql)
    database.exec("DROP TABLE item")
    database.exec(sql.replace(guard, ""))
    database.close()
    assert.deepEqual(await compareDatabase(path, listing), [])
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
    // What is only compared is only read.
    const steps = await asNobody(() => compareDatabase(path, next))
    assert.deepEqual(
      (steps as Awaited<ReturnType<typeof compareDatabase>>).map(({ name }) => name),
      ["add:item.note"],
    )
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

it("a table with a computed default that is left over is made anew", async (test) => {
  const path = join(await temporaryFolder(test), "shop.db")
  await migrate(path, shop({ name: text }), { allow: [] })
  await migrate(path, shop({ name: text, seen: { scalar: "timestamp", default: "now" } }), { allow: [] })
  const { kept } = await migrate(path, shop({ name: text, level: { scalar: "integer", default: 3 } }), {
    allow: [],
  })
  assert.deepEqual(
    kept.map(({ name }) => name),
    ["drop:item.seen"],
  )
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
