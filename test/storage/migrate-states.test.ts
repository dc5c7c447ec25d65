// States that come, go and are called otherwise, with records in them, on real databases.
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import pg from "pg"
import { present } from "../../src/base/invariant.ts"
import { Refusal } from "../../src/base/problem.ts"
import type { FieldDeclaration, MachineDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { compareDatabase, migrate } from "../../src/storage/migration/migrate.ts"
import { cleanUp } from "../support/database.ts"
import { type Database, inOrder, migratedDatabases } from "./migrated-databases.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

const text: FieldDeclaration = { scalar: "text" }
const desk = (
  machine: MachineDeclaration | undefined,
  fields: Record<string, FieldDeclaration> = {},
): Model =>
  load({
    name: "desk",
    resources: {
      ticket: {
        fields: { title: text, ...fields },
        relations: { parent: { kind: "one", target: "ticket", optional: true } },
        indexes: [["title"]],
        ...(machine && { states: machine }),
      },
    },
  })

const first: MachineDeclaration = {
  initial: "fresh",
  transitions: {
    close: { from: "fresh", to: "closed" },
    lose: { from: "fresh", to: "it's lost" },
  },
}

const names = (steps: readonly { readonly name: string }[]): readonly string[] =>
  steps.map(({ name }) => name)

const statesIn = async ({ ask }: Database): Promise<readonly unknown[]> =>
  (await ask("SELECT state FROM ticket ORDER BY id")).map(({ state }) => state)

async function begin(
  open: () => Promise<Database>,
  model: Model,
  ...rows: readonly string[]
): Promise<Database> {
  const database = await open()
  await migrate(database.url, model, { allow: [] })
  for (const row of rows) await database.ask(row)
  return database
}

const rows = `INSERT INTO ticket (id, title, state) VALUES ('a', 'A', 'fresh'), ('b', 'B', 'closed'), ('c', 'C', 'it''s lost')`

async function refused(database: Database, model: Model): Promise<Refusal> {
  const before = inOrder(await database.found(model))
  const error: unknown = await migrate(database.url, model, { allow: [] }).catch((fault: unknown) => fault)
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual(inOrder(await database.found(model)), before)
  return error
}

for (const { name, open } of databases)
  describe(`states on ${name}`, () => {
    it("are renamed with their records, added, and then checked as they are", async (test) => {
      const database = await begin(open, desk(first), rows)
      test.after(database.close)
      const model = desk({
        initial: "open",
        states: { open: { was: ["new", "fresh"] }, lost: { was: "it's lost" } },
        transitions: {
          close: { from: "open", to: "closed" },
          lose: { from: "open", to: "lost" },
          work: { from: "open", to: "working" },
        },
      })
      const said: string[] = []
      const { done } = await migrate(database.url, model, { allow: [], say: (told) => said.push(told) })
      assert.deepEqual(names(done), ["states:ticket.state", "values:ticket.state"])
      assert.equal(said[0], "rename the state fresh of ticket to open, the state it's lost of ticket to lost")
      assert.deepEqual(await statesIn(database), ["open", "closed", "lost"])
      assert.deepEqual(await compareDatabase(database.url, model), [])
      await database.ask(`INSERT INTO ticket (id, title, state) VALUES ('d', 'D', 'working')`)
      await assert.rejects(database.ask(`INSERT INTO ticket (id, title, state) VALUES ('e', 'E', 'fresh')`))
    })

    it("are renamed again and again, and to a name that they had once", async (test) => {
      const renamed = (initial: string, was: string): Model =>
        desk({
          initial,
          states: { [initial]: { was } },
          transitions: { close: { from: initial, to: "closed" } },
        })
      const database = await begin(
        open,
        desk({ ...first, transitions: { close: { from: "fresh", to: "closed" } } }),
      )
      test.after(database.close)
      await database.ask(`INSERT INTO ticket (id, title, state) VALUES ('a', 'A', 'fresh')`)
      for (const model of [renamed("open", "fresh"), renamed("new", "open"), renamed("fresh", "new")])
        await migrate(database.url, model, { allow: [] })
      assert.deepEqual(await statesIn(database), ["fresh"])
    })

    it("stay while records are in them: how many is said, and what to do", async (test) => {
      const database = await begin(open, desk(first), rows)
      test.after(database.close)
      await database.ask(`INSERT INTO ticket (id, title, state) VALUES ('d', 'D', 'it''s lost')`)
      const closing: MachineDeclaration = {
        initial: "open",
        transitions: { close: { from: "open", to: "closed" } },
      }
      const { message, problems } = await refused(database, desk(closing))
      assert.equal(
        message,
        `values:ticket.state: Records of ticket are in states that are not declared: 1 in "fresh", 2 in "it's lost".`,
      )
      assert.match(problems[0].hint ?? "", /`was` of the state that takes its records over/)
      const taking = { ...closing, states: { open: { was: "fresh" }, closed: { was: "it's lost" } } }
      await migrate(database.url, desk(taking), { allow: [] })
      assert.deepEqual(await statesIn(database), ["open", "closed", "closed", "closed"])
    })

    it("go when no record is in them", async (test) => {
      const database = await begin(open, desk(first), rows, `DELETE FROM ticket WHERE id = 'c'`)
      test.after(database.close)
      const { close } = first.transitions
      const { done } = await migrate(
        database.url,
        desk({ ...first, transitions: { close: present(close, "it closes") } }),
        {
          allow: [],
        },
      )
      assert.deepEqual(names(done), ["values:ticket.state"])
      assert.deepEqual(await statesIn(database), ["fresh", "closed"])
    })

    it("come to a table that has records, which begin", async (test) => {
      const database = await begin(open, desk(undefined), `INSERT INTO ticket (id, title) VALUES ('a', 'A')`)
      test.after(database.close)
      const { done } = await migrate(database.url, desk(first), { allow: [] })
      assert.deepEqual(names(done), ["add:ticket.state", "add:bifold_log", "add:bifold_epoch"])
      assert.deepEqual(await statesIn(database), ["fresh"])
    })

    it("are taken from a text that was there, under whatever it called them", async (test) => {
      const before = desk(undefined, { state: { ...text, optional: true } })
      const database = await begin(
        open,
        before,
        `INSERT INTO ticket (id, title, state) VALUES ('a', 'A', 'NEW'), ('b', 'B', 'closed'), ('c', 'C', NULL), ('d', 'D', 'odd')`,
      )
      test.after(database.close)
      const model = desk({ ...first, states: { fresh: { was: "NEW" } } }, { state: text })
      const { message } = await refused(database, model)
      assert.equal(
        message,
        'values:ticket.state: Records of ticket are in states that are not declared: 1 in "odd".',
      )
      await database.ask(`UPDATE ticket SET state = 'NEW' WHERE id = 'd'`)
      await migrate(database.url, model, { allow: [] })
      assert.deepEqual(await statesIn(database), ["fresh", "closed", "fresh", "fresh"])
      assert.deepEqual(await compareDatabase(database.url, model), [])
      await assert.rejects(database.ask(`UPDATE ticket SET state = 'NEW' WHERE id = 'd'`))
    })

    it("are held by a field that was called otherwise, and renamed at once", async (test) => {
      const before = load({
        name: "desk",
        resources: { issue: { fields: { title: text, phase: { scalar: "oneOf", of: ["one", "two"] } } } },
      })
      const database = await begin(
        open,
        before,
        `INSERT INTO issue (id, title, phase) VALUES ('a', 'A', 'one')`,
      )
      test.after(database.close)
      const model = load({
        name: "desk",
        resources: {
          ticket: {
            was: "issue",
            fields: { title: text, state: { ...text, was: "phase" } },
            states: {
              initial: "open",
              states: { open: { was: "one" }, closed: { was: "two" } },
              transitions: { close: { from: "open", to: "closed" } },
            },
          },
        },
      })
      await migrate(database.url, model, { allow: [] })
      assert.deepEqual(await statesIn(database), ["open"])
      assert.deepEqual(await compareDatabase(database.url, model), [])
    })
  })

describe("states that are renamed on PostgreSQL", () => {
  const { open } = present(databases[1], "PostgreSQL is there")
  const renamed = desk({
    ...first,
    initial: "open",
    states: { open: { was: "fresh" } },
    transitions: { close: { from: "open", to: "closed" }, lose: { from: "open", to: "it's lost" } },
  })

  it("leave records to those who write them meanwhile, by their old names as well", async (test) => {
    const database = await begin(
      open,
      desk(first),
      `INSERT INTO ticket (id, title, state) SELECT 't' || n, 'T', 'fresh' FROM generate_series(1, 20000) AS n`,
    )
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    test.after(async () => {
      await client.end()
      await database.close()
    })
    let running = true
    let written = 0
    const writing = (async () => {
      // From the end, where the migration comes last.
      for (let n = 20000; running && n > 0; n -= 1) {
        await client.query("UPDATE ticket SET title = 'written' WHERE id = $1", [`t${n}`])
        written += 1
      }
    })()
    await migrate(database.url, renamed, { allow: [] })
    running = false
    await writing
    // A migration that locks the table lets one or two through, at its end.
    assert.ok(written > 5, `${written} records were written meanwhile`)
    assert.deepEqual(await database.ask("SELECT state, count(*)::int AS n FROM ticket GROUP BY state"), [
      { state: "open", n: 20000 },
    ])
    assert.deepEqual(await compareDatabase(database.url, renamed), [])
  })

  it("are brought along when a record was left behind", async (test) => {
    const database = await begin(open, desk(first), rows)
    test.after(database.close)
    await database.ask("ALTER TABLE ticket DROP CONSTRAINT ticket_state_check")
    await database.ask(
      `ALTER TABLE ticket ADD CONSTRAINT ticket_state_check CHECK (state IN ('open', 'closed', 'it''s lost')) NOT VALID`,
    )
    const { done } = await migrate(database.url, renamed, { allow: [] })
    assert.deepEqual(names(done), ["check:ticket.state"])
    assert.deepEqual(await statesIn(database), ["open", "closed", "it's lost"])
    assert.deepEqual(await compareDatabase(database.url, renamed), [])
  })
})
