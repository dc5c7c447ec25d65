// Migrations that are killed at any statement, and two of them at once: they end where one by itself does.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text as readText } from "node:stream/consumers"
import { after, describe, it } from "node:test"
import { fileURLToPath } from "node:url"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { migrationLock } from "../../src/storage/migration/migrate-postgres.ts"
import { cleanUp } from "../support/database.ts"
import { type Database, inOrder, migratedDatabases } from "./migrated-databases.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)
/** Every statement in the proof. */
const steps =
  process.env["BIFOLD_PROOF"] === "full" ? { SQLite: 1, PostgreSQL: 1 } : { SQLite: 4, PostgreSQL: 7 }
const child = fileURLToPath(new URL("./migrate-child.ts", import.meta.url))

const text = { scalar: "text" } as const
const before: ServiceDeclaration = {
  name: "shop",
  resources: {
    customer: {
      fields: {
        name: { ...text, optional: true },
        points: { scalar: "integer" },
        state: { scalar: "oneOf", of: ["a"] },
      },
      states: { life: { initial: "fresh", transitions: { close: { from: "fresh", to: "closed" } } } },
    },
    item: { fields: { code: text, note: { ...text, optional: true } } },
  },
}
/** Every kind of change at once. */
const now: ServiceDeclaration = {
  name: "shop",
  resources: {
    buyer: {
      was: "customer",
      fields: {
        fullName: { ...text, was: "name", default: "nobody" },
        points: { scalar: "int64" },
        state: { scalar: "oneOf", of: ["one", "b"], formerly: { one: "a" } },
        initials: { ...text, optional: true, from: { upper: "fullName" } },
        again: { ...text, from: { coalesce: ["fullName", { value: "none" }] } },
        level: { scalar: "integer", default: 3 },
      },
      states: {
        life: {
          initial: "open",
          states: { open: { was: "fresh" } },
          transitions: { close: { from: "open", to: "closed" }, drop: { from: "open", to: "dropped" } },
        },
      },
      relations: { favourite: { kind: "one", target: "item", optional: true } },
      indexes: [["points"]],
    },
    item: {
      fields: { code: { ...text, unique: true }, note: { ...text, optional: true } },
      relations: { tags: { kind: "many", target: "tag", through: "item_tag" } },
    },
    tag: {
      fields: { word: { ...text, unique: true } },
      relations: { item: { kind: "one", target: "item" } },
    },
  },
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function migrateInChild(
  { url }: Database,
  service: ServiceDeclaration,
  statement?: number,
): Promise<Ended> {
  const process_ = spawn(process.execPath, [
    child,
    url,
    JSON.stringify(service),
    ...(statement === undefined ? [] : [String(statement)]),
  ])
  const [out, err] = await Promise.all([
    readText(process_.stdout),
    readText(process_.stderr),
    once(process_, "close"),
  ])
  return { code: process_.exitCode, out, err }
}

async function begin(open: () => Promise<Database>): Promise<Database> {
  const database = await open()
  await migrate(database.url, load(before), { allow: [] })
  await database.ask(
    `INSERT INTO customer (id, name, points, state, life) VALUES ('a', 'A', 1, 'a', 'fresh'), ('b', NULL, 2, 'a', 'closed')`,
  )
  await database.ask(`INSERT INTO item (id, code) VALUES ('i', 'I')`)
  await database.ask(
    `INSERT INTO bifold_log (resource, record, version, number, type, at) VALUES ('customer', 'customer_a', '1', 1, 'customer.created', '2026-11-22T12:00:00.000000Z')`,
  )
  return database
}

const kept = (database: Database): Promise<readonly object[]> =>
  database
    .ask(
      `SELECT id, full_name, state, initials, again, CAST(points AS text) AS points, level, life, favourite_id FROM buyer ORDER BY id`,
    )
    .then((rows) => rows.map((row) => ({ ...row })))

const logged = (database: Database): Promise<readonly object[]> =>
  database
    .ask(`SELECT resource, record, type FROM bifold_log`)
    .then((rows) => rows.map((row) => ({ ...row })))

const renamed = [{ resource: "buyer", record: "buyer_a", type: "buyer.created" }]

const expected = [
  {
    id: "a",
    full_name: "A",
    state: "one",
    initials: "A",
    again: "A",
    points: "1",
    level: 3,
    life: "open",
    favourite_id: null,
  },
  {
    id: "b",
    full_name: "nobody",
    state: "one",
    initials: null,
    again: "none",
    points: "2",
    level: 3,
    life: "closed",
    favourite_id: null,
  },
]

for (const { name, open } of databases)
  describe(`migrations of ${name} that are disturbed`, () => {
    const model = load(now)

    it("are ended by running them again, at whichever statement they were killed", async () => {
      const fresh = await open()
      await migrate(fresh.url, model, { allow: [] })
      const whole = inOrder(await fresh.found(model))
      await fresh.close()
      let killed = 0
      for (let statement = 1; ; statement += steps[name]) {
        const database = await begin(open)
        const ran = await migrateInChild(database, now, statement)
        if (ran.code === null) killed += 1
        await migrate(database.url, model, { allow: [] })
        assert.deepEqual(await compareDatabase(database.url, model), [], `killed at ${statement}`)
        assert.deepEqual(inOrder(await database.found(model)), whole, `killed at ${statement}`)
        assert.deepEqual(await kept(database), expected, `killed at ${statement}`)
        assert.deepEqual(await logged(database), renamed, `killed at ${statement}`)
        await database.close()
        if (ran.code !== null) {
          assert.equal(ran.code, 0, ran.err)
          break
        }
      }
      assert.ok(killed >= 4, `only ${killed} were killed`)
    })

    it("wait for whoever is at it, and for each other", async () => {
      const database = await begin(open)
      const [take, release] =
        name === "SQLite"
          ? ["BEGIN IMMEDIATE", "COMMIT"]
          : [`SELECT pg_advisory_lock(${migrationLock})`, `SELECT pg_advisory_unlock(${migrationLock})`]
      await database.ask(take)
      const ending = Promise.all([migrateInChild(database, now), migrateInChild(database, now)])
      const early = await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 2_500))])
      assert.equal(early, undefined, "it did not wait")
      await database.ask("SELECT name FROM customer")
      await database.ask(release)
      const ran = await ending
      for (const { code, err } of ran) assert.equal(code, 0, err)
      const worked = ran.filter(({ out }) => (JSON.parse(out) as { done: string[] }).done.length > 0)
      assert.equal(worked.length, 1)
      assert.deepEqual(await compareDatabase(database.url, model), [])
      assert.deepEqual(await kept(database), expected)
      assert.deepEqual(await logged(database), renamed)
      await database.close()
    })
  })
