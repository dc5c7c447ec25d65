// A log that was emptied, cut or made anew without what is kept of those who follow it: they pass over none of its events, and
// no id is given twice.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createCheckpoints } from "../../src/events/handlers/checkpoints.ts"
import { sinkName, webhookPrefix } from "../../src/events/handlers/followed.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { systemTables } from "../../src/sql/schema/system-tables.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { cleanUp } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { type On, type Opened, openShop } from "./open.ts"

async function run({ write }: Storage, ...texts: readonly string[]): Promise<void> {
  await write?.({
    shape: { commands: texts.map((text) => ({ text, takes: 0 })), wanted: [], takes: 0, sure: false },
    parameters: [],
  })
}

const placeOf = { sqlite: "seq", postgres: "position" } as const

/** What becomes of the log. */
const ways: Readonly<Record<string, (database: Database) => readonly string[]>> = {
  emptied: () => ["DELETE FROM bifold_log"],
  truncated: (database) => [database === "postgres" ? "TRUNCATE bifold_log" : "DELETE FROM bifold_log"],
  "made anew": (database) => [
    "DROP TABLE bifold_log",
    "DROP TABLE bifold_epoch",
    ...systemTables(database === "postgres" ? postgres : sqlite, ["log"]),
  ],
  "made anew beside its epochs": (database) => [
    "DROP TABLE bifold_log",
    ...systemTables(database === "postgres" ? postgres : sqlite, ["log"]),
  ],
  cut: (database) => {
    const place = placeOf[database]
    return [`DELETE FROM bifold_log WHERE ${place} > (SELECT max(${place}) / 2 FROM bifold_log)`]
  },
}

interface Handled {
  readonly ids: Map<string, string>
  readonly twice: string[]
}

/** Ids of events with their records; an id that two records have had. */
function handlerOf({ ids, twice }: Handled): On {
  return {
    "order.created": ({ event, record }) => {
      const id = String(record?.id)
      if (ids.has(event.id) && ids.get(event.id) !== id) twice.push(event.id)
      ids.set(event.id, id)
    },
  }
}

async function orders(shop: Opened, name: string, count: number): Promise<readonly string[]> {
  const made: string[] = []
  for (let index = 0; index < count; index += 1) made.push(await shop.order(`${name}-${index}`))
  return made
}

/** More and fewer than the log had. */
const counts = [1, 30]

for (const database of dialects)
  describe(`a log that is lost on ${database}`, () => {
    for (const [way, statements] of Object.entries(ways))
      for (const count of counts)
        for (const when of ["running", "stopped"] as const)
          test(`${way}, with ${count} events behind it, while handlers are ${when}`, async (context) => {
            const hooks = cleanUp((end) => context.after(end))
            const shop = await openShop(hooks, database)
            const handled: Handled = { ids: new Map(), twice: [] }
            let running = await shop.start(handlerOf(handled))
            await orders(shop, "old", 12)
            await running.settled()
            if (when === "stopped") await running.close()
            await run(shop.storage, ...statements(database))
            if (when === "running") {
              running.wake()
              await orders(shop, "first", 1)
              await running.settled()
            }
            // On SQLite, a process that opens the file begins an epoch.
            const other = await openStorage(shop.url, { writes: "unsafe" })
            hooks.after(() => other.close())
            const fresh = await orders(shop, "new", count)
            if (when === "stopped") running = await shop.start(handlerOf(handled))
            await running.settled()
            const records = new Set(handled.ids.values())
            assert.deepEqual(
              fresh.filter((id) => !records.has(id)),
              [],
            )
            assert.deepEqual(handled.twice, [])
            assert.deepEqual(
              running.told.map((one) => (one.kind === "replaced" ? one.handlers : one)),
              [["order.created"]],
            )
          })

    test("all that follow it go on at its start, without records that wait for what is gone", async (context) => {
      const hooks = cleanUp((end) => context.after(end))
      const shop = await openShop(hooks, database)
      const running = await shop.start({
        "order.created": () => {
          throw new Error("never")
        },
      })
      const [record = ""] = await orders(shop, "old", 3)
      await running.settled()
      await running.close()
      const kept = createCheckpoints(shop.storage)
      const names = [`${webhookPrefix}one`, sinkName("nats", "shop")]
      for (const name of names) await kept.add(name, 3n)
      assert.equal((await kept.waiting()).length, 3)
      assert.equal((await kept.lost()).size, 0)
      await run(shop.storage, "DELETE FROM bifold_log")
      assert.deepEqual([...(await kept.lost()).keys()].toSorted(), ["order.created", ...names].toSorted())
      assert.deepEqual([...(await kept.positions()).values()], [0n, 0n, 0n])
      assert.equal(await kept.setBack(), true)
      assert.equal(await kept.setBack(), false)
      assert.deepEqual([(await kept.waiting()).length, (await kept.lost()).size], [0, 0])
      assert.ok(record)
    })

    test("a place that an older version has moved, and one before the first row, are not lost", async (context) => {
      const hooks = cleanUp((end) => context.after(end))
      const shop = await openShop(hooks, database)
      const running = await shop.start({ "order.created": () => {} })
      await orders(shop, "old", 6)
      await running.settled()
      await running.close()
      const kept = createCheckpoints(shop.storage)
      if (database === "postgres") await run(shop.storage, "UPDATE bifold_epoch SET start = 'another'")
      const storage = await openStorage(shop.url, { writes: "unsafe" })
      hooks.after(() => storage.close())
      await orders(shop, "next", 2)
      const latest = await shop.storage.log?.latest()
      await run(shop.storage, `UPDATE bifold_handler SET position = ${latest}`)
      assert.equal((await kept.lost()).size, 0)
      await run(
        shop.storage,
        `DELETE FROM bifold_log WHERE ${placeOf[database]} < ${latest}`,
        "UPDATE bifold_handler SET position = 2, place = 'ffffffffff_2'",
      )
      assert.deepEqual([(await kept.lost()).size, (await kept.positions()).get("order.created")], [0, 2n])
    })
  })
