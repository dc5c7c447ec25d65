// Transactions for own code that are cut off, or parts of them: what they had written is gone, and whoever comes next is served.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { test } from "node:test"
import pg from "pg"
import { action, anyone, f, operation, resource, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { StorageOptions } from "../../src/storage/storage.ts"
import type { Session } from "../../src/storage/write-request.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const all = { read: anyone, create: anyone, update: anyone, delete: anyone }

const plain = service({
  name: "counter",
  resources: {
    tally: resource({
      id: "tal",
      key: { column: "id", type: "integer" },
      fields: { count: f.integer({ default: 0 }) },
      allow: all,
    }),
  },
})

async function openTally(hooks: Hooks, database: Database, options: Partial<StorageOptions> = {}) {
  const url =
    database === "sqlite" ? `${await temporaryFolder(hooks)}/tally.db` : await temporaryPostgres(hooks)
  const dialect = database === "sqlite" ? sqlite : postgres
  const schema = createSchema(load(plain), dialect).map((text) => ({ text, parameters: [] }))
  await setUp(url, [
    ...schema,
    { text: "INSERT INTO tally (id, count, bifold_version) VALUES (1, 0, 1)", parameters: [] },
  ])
  const storage = await openStorage(url, { writes: "unsafe", ...options })
  hooks.after(() => storage.close())
  const { transact, write } = storage
  assert.ok(transact && write)
  return { url, storage, transact, write }
}

const workOf = (text: string) => ({
  shape: { commands: [{ text, takes: 0 }], wanted: [0], takes: 0, sure: false },
  parameters: [],
})
const bump = workOf("UPDATE tally SET count = count + 1 RETURNING count")
const read = workOf("SELECT CAST(count AS text) FROM tally")
const soon = (milliseconds = 5_000) => ({ lasts: milliseconds })

async function counted(session: Session): Promise<string> {
  const ran = await session.run(read)
  assert.equal(ran.kind, "ran")
  return String(ran.kind === "ran" && ran.rows[0]?.[0]?.[0])
}

for (const database of dialects) {
  test(`a transaction sees what it wrote, and nobody else does until it ends (${database})`, async (t) => {
    const { transact, storage } = await openTally(t, database)
    const outside = () =>
      storage.read(
        {
          ...bump,
          text: read.shape.commands[0]?.text ?? "",
          binds: [],
          columns: [],
          cursors: [],
          flaws: false,
        },
        [],
      )
    const outcome = await transact(async (session) => {
      await session.run(bump)
      assert.equal(await counted(session), "1")
      assert.deepEqual(await outside(), ["0"])
      return ["kept"]
    }, soon())
    assert.deepEqual(outcome, { kind: "done", rows: [["kept"]] })
    assert.deepEqual(await outside(), ["1"])
  })

  test(`what is thrown undoes everything, and nothing is run afterwards (${database})`, async (t) => {
    const { transact } = await openTally(t, database)
    let kept: Session | undefined
    const thrown = transact(async (session) => {
      kept = session
      await session.run(bump)
      throw new RangeError("mine")
    }, soon())
    await assert.rejects(thrown, RangeError)
    await assert.rejects(async () => kept?.run(bump))
    await transact(async (session) => [await counted(session)], soon()).then((outcome) =>
      assert.deepEqual(outcome, { kind: "done", rows: [["0"]] }),
    )
  })

  test(`a fault of the database undoes everything, also where it was caught (${database})`, async (t) => {
    const { transact } = await openTally(t, database)
    const faulty = transact(async (session) => {
      await session.run(bump)
      await session.run(workOf("SELECT nothing FROM nowhere")).catch(() => {})
      return []
    }, soon())
    await assert.rejects(faulty)
    const outcome = await transact(async (session) => [await counted(session)], soon())
    assert.deepEqual(outcome, { kind: "done", rows: [["0"]] })
  })

  test(`what is refused within is undone, however deep, and the rest stays (${database})`, async (t) => {
    const { transact } = await openTally(t, database)
    const mine = new RangeError("mine")
    const outcome = await transact(async (session) => {
      await session.run(bump)
      const seen = await session.within(async (inner) => {
        await inner.run(bump)
        const undone = inner.within(async (innermost) => {
          await innermost.run(bump)
          assert.equal(await counted(innermost), "3")
          throw mine
        })
        await assert.rejects(undone, mine)
        await inner.within((innermost) => innermost.run(bump))
        return counted(inner)
      })
      assert.equal(seen, "3")
      const undone = session.within(async (inner) => {
        await inner.run(bump)
        await inner.within((innermost) => innermost.run(bump))
        throw mine
      })
      await assert.rejects(undone, mine)
      return [await counted(session)]
    }, soon())
    assert.deepEqual(outcome, { kind: "done", rows: [["3"]] })
  })

  test(`what is asked beside something within waits for its end (${database})`, async (t) => {
    const { transact } = await openTally(t, database)
    const outcome = await transact(async (session) => {
      const slowly = (end: () => void) =>
        session.within(async (inner) => {
          await inner.run(bump)
          await new Promise((resolve) => setTimeout(resolve, 20))
          end()
          return counted(inner)
        })
      const refuse = () => {
        throw new RangeError("mine")
      }
      const all = await Promise.allSettled([
        slowly(() => {}),
        slowly(refuse),
        counted(session),
        slowly(refuse),
      ])
      assert.deepEqual(
        all.map((one) => (one.status === "fulfilled" ? one.value : "undone")),
        ["1", "undone", "1", "undone"],
      )
      return [await counted(session)]
    }, soon())
    assert.deepEqual(outcome, { kind: "done", rows: [["1"]] })
  })

  test(`what is left under way within is undone with it, and asks nothing any more (${database})`, async (t) => {
    const { transact } = await openTally(t, database)
    const outcome = await transact(async (session) => {
      const { promise: lasting, resolve: letGo } = Promise.withResolvers<void>()
      let left: Promise<unknown> = Promise.resolve()
      const undone = session.within(async (inner) => {
        await inner.run(bump)
        const begun = Promise.withResolvers<void>()
        left = inner.within(async (innermost) => {
          await innermost.run(bump)
          innermost.run(bump).catch(() => {})
          begun.resolve()
          await lasting
          await innermost.run(bump)
        })
        left.catch(() => {})
        await begun.promise
        throw new RangeError("mine")
      })
      await assert.rejects(undone, RangeError)
      await session.within(async (inner) => {
        await inner.run(bump)
        letGo()
        await assert.rejects(left)
      })
      return [await counted(session)]
    }, soon())
    assert.deepEqual(outcome, { kind: "done", rows: [["1"]] })
  })

  test(`writes beside a transaction are done when it ends, whatever becomes of it (${database})`, async (t) => {
    const { transact, write } = await openTally(t, database)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: let_, resolve: letGo } = Promise.withResolvers<void>()
    const held = transact(async (session) => {
      await session.run(bump)
      begin()
      await let_
      throw new RangeError("mine")
    }, soon())
    held.catch(() => {})
    await begun
    const beside = Array.from({ length: 3 }, () => write(bump))
    await new Promise((resolve) => setTimeout(resolve, 50))
    letGo()
    await assert.rejects(held, RangeError)
    for (const outcome of await Promise.all(beside)) assert.equal(outcome.kind, "done")
    const outcome = await transact(async (session) => [await counted(session)], soon())
    assert.deepEqual(outcome, { kind: "done", rows: [["3"]] })
  })
}

test("a connection that is ended in a transaction leaves nothing, and the next one is served (postgres)", async (t) => {
  const { transact, url } = await openTally(t, "postgres")
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {}) // its database is dropped when the test ends
  await client.connect()
  t.after(() => client.end())
  const cut = transact(async (session) => {
    await session.run(bump)
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
    )
    await session.run(bump)
    return []
  }, soon())
  await assert.rejects(cut)
  const outcome = await transact(async (session) => [await counted(session)], soon())
  assert.deepEqual(outcome, { kind: "done", rows: [["0"]] })
})

test("what waits for a lock until the time is over is given up in time (postgres)", async (t) => {
  const { transact, url } = await openTally(t, "postgres", { deadline: 300 })
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {}) // its database is dropped when the test ends
  await client.connect()
  t.after(() => client.end())
  await client.query("BEGIN; UPDATE tally SET count = 7")
  const began = Date.now()
  await assert.rejects(transact(async (session) => [String((await session.run(bump)).kind)], soon(300)))
  assert.ok(Date.now() - began < 4_000, `${Date.now() - began} ms`)
  await client.query("ROLLBACK")
})

test("a process that dies in a transaction leaves nothing, and the next one can write (sqlite)", async (t) => {
  const { url, transact } = await openTally(t, "sqlite")
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `const { openStorage } = await import(${JSON.stringify(new URL("../../src/storage/open.ts", import.meta.url).href)})
       const { elapsed } = await import(${JSON.stringify(new URL("../../src/base/clock.ts", import.meta.url).href)})
       const { transact } = await openStorage(${JSON.stringify(url)}, { writes: "unsafe" })
       const work = ${JSON.stringify(bump)}
       await transact(async (session) => {
         await session.run(work)
         console.log("written")
         await new Promise((resolve) => setTimeout(resolve, 60_000))
       }, { lasts: 60_000 })`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  )
  await once(child.stdout, "data")
  child.kill("SIGKILL")
  await once(child, "exit")
  const outcome = await transact(async (session) => {
    await session.run(bump)
    return [await counted(session)]
  }, soon())
  assert.deepEqual(outcome, { kind: "done", rows: [["1"]] })
})

test("actions of several records at once that lock each other are all done (postgres)", async (t) => {
  const crossed = withCode(plain, {
    actions: {
      tally: {
        cross: action({
          allow: anyone,
          input: { other: f.text() },
          async run({ record, input, db }) {
            await new Promise((resolve) => setTimeout(resolve, 50))
            const other = await db.tally.get(input.other)
            await db.tally.update(input.other, { count: (other?.count ?? 0) + 1 })
            await db.tally.update(record.id, { count: record.count + 1 })
          },
        }),
      },
    },
    operations: { idle: operation({ allow: anyone, run: () => undefined }) },
  })
  const opened = await openCode(t, crossed, "postgres")
  const { tally: [one = "", two = ""] = [] } = await opened.add({ tally: [{}, {}] })
  const call = (id: string, other: string) =>
    opened.as("anyone").rest("POST", `/tallies/${id}/actions/cross`, { other })
  const answers = await Promise.all([call(one, two), call(two, one)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204],
  )
  const { body } = await opened.as("anyone").rest<{ data: { count: number }[] }>("GET", "/tallies")
  assert.deepEqual(
    body.data.map(({ count }) => count),
    [2, 2],
  )
})
