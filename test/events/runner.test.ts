// What handlers promise: every event at least once, each record's in order, from where they were, whatever fails.
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { after, describe, test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { createCheckpoints } from "../../src/events/handlers/checkpoints.ts"
import { pauseAfter } from "../../src/events/handlers/followed.ts"
import { startHandlers } from "../../src/events/handlers/runner.ts"
import { anyone, f, handler, resource, service, withCode } from "../../src/index.ts"
import { openLogging } from "../log/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { ownPostgres } from "../support/own-postgres.ts"
import { type On, openShop } from "./open.ts"

const hooks = cleanUp(after)
const full = process.env["BIFOLD_PROOF"] === "full"

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(20)
}

/** A clock that moves when it is told to. */
function clockFrom(start: number): { now: () => number; forward(milliseconds: number): void } {
  let moment = start
  return {
    now: () => moment,
    forward(milliseconds) {
      moment += milliseconds
    },
  }
}

for (const database of dialects)
  describe(`handlers on ${database}`, () => {
    test("begin with what comes, or with the start of the log, and go on from where they were", async () => {
      const shop = await openShop(hooks, database)
      await shop.order("1")
      const seen: string[] = []
      const on: On = {
        "order.created": [
          handler({ name: "late", run: ({ event }) => void seen.push(`late ${event.changes.number?.to}`) }),
          handler({
            name: "all",
            from: "start",
            run: ({ event }) => void seen.push(`all ${event.changes.number?.to}`),
          }),
        ],
      }
      const first = await shop.start(on)
      await shop.order("2")
      await first.settled()
      await first.close()
      assert.deepEqual(seen.splice(0).toSorted(), ["all 1", "all 2", "late 2"])
      await shop.order("3")
      const second = await shop.start(on)
      await second.settled()
      await second.close()
      assert.deepEqual(seen.splice(0).toSorted(), ["all 3", "late 3"])
      const third = await shop.start(on)
      await third.settled()
      assert.deepEqual(seen, [])
    })

    test("are known to be at the end of the log when nothing more is written", async () => {
      const shop = await openShop(hooks, database)
      const running = await shop.start({ "order.created": () => {} })
      await shop.order("1")
      await running.settled()
      // Nothing for the handler, so soon that how far it is was kept just now.
      await shop.client.rest("POST", "/customers", { name: "Ada" })
      await running.settled()
      const kept = createCheckpoints(shop.storage)
      const latest = await shop.storage.log?.latest()
      const deadline = Date.now() + 10_000
      const position = async (): Promise<bigint | undefined> => (await kept.positions()).get("order.created")
      while ((await position()) !== latest && Date.now() < deadline) await wait(50)
      assert.equal(await position(), latest)
    })

    test("what fails when its event was done is done again, with what came after it", async () => {
      const shop = await openShop(hooks, database)
      const clock = clockFrom(Date.now())
      const seen: {
        readonly id: string
        readonly type: string
        readonly recordId: string
        readonly position: string
      }[] = []
      const on: On = { "order.*": handler({ retries: 1, run: ({ event }) => void seen.push(event) }) }
      const types = (): readonly string[] => seen.splice(0).map(({ type }) => type)
      const running = await shop.start(on, { now: clock.now })
      const id = await shop.order("1")
      await shop.client.rest("PATCH", `/orders/${id}`, { number: "2" })
      await shop.order("other")
      assert.deepEqual(await running.settled(), [])
      const created = seen.find(({ type, recordId }) => type === "order.created" && recordId === id)
      types()
      const late = {
        handler: "order.*",
        id: String(created?.id),
        record: id,
        position: BigInt(created?.position ?? 0),
      }
      running.failed(late, new Error("too late"))
      const [failure, ...more] = await running.settled()
      assert.deepEqual([failure?.record, String(failure?.error), more], [id, "Error: too late", []])
      assert.equal(running.told.filter(({ kind }) => kind === "unhandled").length, 1)
      assert.deepEqual(types(), [])
      clock.forward(2_000)
      assert.deepEqual(await running.settled(), [])
      assert.deepEqual(types(), ["order.created", "order.updated"])
      // By whoever comes next it is known, as any failure is.
      running.failed(late, new Error("too late again"))
      assert.equal((await running.settled()).length, 1)
      await running.close()
      const next = await shop.start(on, { now: clock.now })
      assert.deepEqual(
        (await next.settled()).map(({ record, error }) => [record, error]),
        [[id, "too late again"]],
      )
      clock.forward(2_000)
      assert.deepEqual(await next.settled(), [])
      assert.deepEqual(types(), ["order.created", "order.updated"])
    })

    test("hand over each record's changes in their order and lose none, whatever fails", async (context) => {
      const shop = await openShop(hooks, database)
      const done = new Map<string, number[]>()
      const under = new Set<string>()
      const mistakes: string[] = []
      let failures = 0
      const on: On = {
        "order.*": handler({
          retries: 1_000,
          async run({ event }) {
            const { recordId, version } = event
            const versions = done.get(recordId) ?? []
            done.set(recordId, versions)
            if (under.has(recordId)) mistakes.push(`${recordId} ${version} while another is under way`)
            if (Number(version) > versions.length + 1) mistakes.push(`${recordId} ${version} too early`)
            under.add(recordId)
            if (Math.random() < 0.5) await wait(Math.random() * 5)
            under.delete(recordId)
            if (Math.random() < 0.3) {
              failures += 1
              throw new Error("not this time")
            }
            if (Number(version) === versions.length + 1) versions.push(Number(version))
          },
        }),
      }
      // An hour passes in a second, so that even what failed often is tried again.
      const began = Date.now()
      const now = (): number => began + (Date.now() - began) * 3_600
      const running = await shop.start(on, { now })
      const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => shop.order(`${index}`)))
      const changes = full ? 100 : 12
      await Promise.all(
        ids.map(async (id) => {
          for (let count = 1; count <= changes; count += 1)
            await shop.client.rest("PATCH", `/orders/${id}`, { count })
        }),
      )
      for (let left = await running.settled(); left.length > 0; left = await running.settled()) await wait(20)
      assert.deepEqual(mistakes, [])
      const expected = Array.from({ length: changes + 1 }, (_, index) => index + 1)
      for (const id of ids) assert.deepEqual(done.get(id), expected)
      assert.ok(failures > ids.length, `${failures} failed`)
      context.diagnostic(`${ids.length * expected.length} changes, ${failures} failures`)
    })

    test("try again later and later, then leave it to people, who try it again or leave it out", async () => {
      const shop = await openShop(hooks, database)
      const clock = clockFrom(Date.parse("2026-11-22T12:00:00Z"))
      const seen: string[] = []
      let broken = true
      const on: On = {
        "order.*": handler({
          name: "bookkeeping",
          retries: 3,
          run({ event }) {
            seen.push(`${event.changes.number?.to ?? "change"}`)
            if (event.type === "order.created" && broken) throw new Error(`\0 ${event.recordId}`)
          },
        }),
      }
      const running = await shop.start(on, { now: clock.now })
      const id = await shop.order("A")
      await shop.client.rest("PATCH", `/orders/${id}`, { count: 1 })
      const pauses: number[] = []
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        const [failure, ...more] = await running.settled()
        assert.deepEqual(more, [])
        assert.equal(seen.length, attempt)
        if (attempt === 4) {
          assert.equal(failure?.due, null)
          break
        }
        const due = failure?.due?.getTime() ?? 0
        pauses.push(due - clock.now())
        clock.forward(due - clock.now() - 1)
        await running.settled()
        assert.equal(seen.length, attempt)
        clock.forward(1)
      }
      for (const [index, pause] of pauses.entries())
        assert.ok(pause >= 800 * 2 ** index && pause <= 1_200 * 2 ** index, `${pauses}`)
      assert.deepEqual(
        running.told.map((told) => told.kind === "unhandled" && [told.attempts, told.due === null]),
        [
          [1, false],
          [2, false],
          [3, false],
          [4, true],
        ],
      )
      clock.forward(1e9)
      await running.settled()
      assert.equal(seen.length, 4)
      const kept = createCheckpoints(shop.storage)
      const [waiting] = await kept.waiting("bookkeeping")
      assert.equal(waiting?.error, ` ${id}`)
      assert.equal(waiting?.attempts, 4)

      // Tried again, it fails again, and is tried again by itself.
      const asked = { handler: "bookkeeping", record: id }
      await kept.ask(asked, "retry")
      while (seen.length < 5) await wait(20)
      const [again] = await running.settled()
      assert.notEqual(again?.due, null)
      assert.equal((await kept.asked()).length, 0)
      await kept.ask(asked, "skip")
      while (seen.length < 6) await wait(20)
      assert.deepEqual(await running.settled(), [])
      assert.deepEqual(seen.slice(-2), ["A", "change"])
      assert.deepEqual(await kept.waiting(), [])
      broken = false
      await shop.client.rest("PATCH", `/orders/${id}`, { count: 2 })
      await running.settled()
      assert.equal(seen.length, 7)
    })

    test("go on where one hangs, which is given up and tried again", async () => {
      const shop = await openShop(hooks, database)
      const seen: string[] = []
      const signals: AbortSignal[] = []
      const late: Promise<unknown>[] = []
      const on: On = {
        "order.created": handler({
          timeout: 1_500,
          as: { roles: ["staff"] },
          async run({ event, signal, db }) {
            const number = event.changes.number?.to ?? ""
            seen.push(number)
            if (number !== "hangs" || signals.length > 0) return
            signals.push(signal)
            await wait(1_800)
            late.push(db.letter.create({ about: "too late" }).catch((error: unknown) => error))
            await new Promise(() => {})
          },
        }),
      }
      const clock = clockFrom(0)
      const running = await shop.start(on, { now: clock.now })
      await shop.order("hangs")
      for (const number of ["1", "2", "3"]) await shop.order(number)
      const [failure] = await running.settled()
      assert.match(String(failure?.error), /The handler took longer than 1500 ms/)
      assert.deepEqual(seen.toSorted(), ["1", "2", "3", "hangs"])
      assert.equal(signals[0]?.aborted, true)
      clock.forward(2_000)
      assert.deepEqual(await running.settled(), [])
      assert.equal(seen.length, 5)
      while (late.length === 0) await wait(20)
      assert.match(String(await late[0]), /has ended/)
      const { body } = await shop.client.rest<{ data: object[] }>("GET", "/letters")
      assert.deepEqual(body.data, [])
    })

    test("are shared by several, by records, and one has all when the others end", async () => {
      const shop = await openShop(hooks, database)
      const seen: { readonly by: string; readonly record: string }[] = []
      const mistakes: string[] = []
      const under = new Map<string, string>()
      const by = (name: string): On => ({
        "order.*": async ({ event: { recordId } }) => {
          const other = under.get(recordId)
          if (other !== undefined) mistakes.push(`${recordId} by ${name} while ${other} has it`)
          under.set(recordId, name)
          await wait(Math.random() * 4)
          under.delete(recordId)
          seen.push({ by: name, record: recordId })
        },
      })
      const names = ["first", "second", "third"]
      const [first, second, third] = await Promise.all(names.map((name) => shop.start(by(name))))
      const records: string[] = []
      let writing = true
      const writer = async (): Promise<void> => {
        while (writing) records.push(await shop.order(randomUUID()))
      }
      const writers = [writer(), writer()]
      const bySome = (some: readonly string[]) => () => {
        const recent = new Set(seen.slice(-30).map((one) => one.by))
        return some.every((name) => recent.has(name)) && recent.size === some.length
      }
      await until(bySome(names))
      await second?.close()
      await until(bySome(["first", "third"]))
      const fourth = await shop.start(by("fourth"))
      await until(bySome(["first", "third", "fourth"]))
      await Promise.all([first?.close(), fourth.close()])
      await until(bySome(["third"]))
      writing = false
      await Promise.all(writers)
      await third?.settled()
      assert.deepEqual(mistakes, [])
      assert.deepEqual([...new Set(seen.map(({ record }) => record))].toSorted(), records.toSorted())
    })

    test("end with what is under way, and do again what takes too long", async () => {
      const shop = await openShop(hooks, database)
      const seen: string[] = []
      let patience = 200
      const on: On = {
        "order.created": async ({ event, signal }) => {
          seen.push(`begun ${event.changes.number?.to}`)
          await wait(patience, undefined, { signal })
          seen.push(`done ${event.changes.number?.to}`)
        },
      }
      const first = await shop.start(on)
      await shop.order("1")
      while (seen.length === 0) await wait(5)
      await first.close()
      assert.deepEqual(seen.splice(0), ["begun 1", "done 1"])
      patience = 60_000
      const second = await shop.start(on, { lease: 500 })
      await shop.order("2")
      while (seen.length === 0) await wait(5)
      await second.close()
      assert.deepEqual(seen.splice(0), ["begun 2"])
      patience = 1
      const third = await shop.start(on)
      await third.settled()
      assert.deepEqual(seen, ["begun 2", "done 2"])
    })
  })

test("a database that is gone halts them, and they go on when it is back", async (context) => {
  const server = await ownPostgres(context)
  const shop = await openShop(context, "postgres", server.url)
  const seen: string[] = []
  const running = await shop.start({
    "order.created": ({ event }) => void seen.push(String(event.changes.number?.to)),
  })
  await shop.order("1")
  await running.settled()
  await server.kill()
  await until(() => running.told.some(({ kind }) => kind === "halted"))
  await server.revive()
  await until(() => running.told.some(({ kind }) => kind === "resumed"))
  await shop.order("2")
  await running.settled()
  assert.deepEqual(seen, ["1", "2"])
  assert.deepEqual(
    running.told.map(({ kind }) => kind),
    ["halted", "resumed"],
  )
})

for (const database of dialects)
  test(`a database of somebody else's gets what handlers keep, on ${database}`, async () => {
    const seen: string[] = []
    const foreign = withCode(
      service({
        name: "foreign",
        managed: false,
        resources: {
          item: resource({
            table: "item",
            key: { column: "id", type: "integer" },
            fields: { name: f.text() },
            allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
          }),
        },
      }),
      { on: { "item.*": ({ event, record }) => void seen.push(`${event.type} ${record?.name}`) } },
    )
    const id = database === "sqlite" ? "integer PRIMARY KEY" : "serial PRIMARY KEY"
    const of = await openLogging(hooks, database, foreign, [
      `CREATE TABLE item (id ${id}, name text NOT NULL)`,
    ])
    const { handleFor, answer } = of.engine
    const options = { model: of.model, open: false, storage: of.storage, handleFor, answer, tell: () => {} }
    const running = await startHandlers(options)
    const client = of.as("anyone")
    const { body } = await client.rest<{ id: string }>("POST", "/items", { name: "a" })
    await client.rest("DELETE", `/items/${body.id}`)
    assert.deepEqual(await running.settled(), [])
    await running.close()
    assert.deepEqual(
      seen.map((one) => one.split(" ")[0]),
      ["item.created", "item.deleted"],
    )
  })

test("pauses double from a second to an hour, and differ", () => {
  assert.deepEqual(
    [1, 2, 3, 12, 13, 40].map((attempts) => pauseAfter(attempts, 0.5)),
    [1_000, 2_000, 4_000, 2_048_000, 3_600_000, 3_600_000],
  )
  assert.deepEqual([pauseAfter(1, 0), pauseAfter(1, 1)], [800, 1_200])
})
