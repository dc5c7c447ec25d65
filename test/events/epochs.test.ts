// Places in the log: a position has one meaning in one epoch, and who holds a place of another log is told.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { createCheckpoints, partitionOf } from "../../src/events/handlers/checkpoints.ts"
import { createEventIds } from "../../src/events/log/event-ids.ts"
import { allPartitions, firstEpoch } from "../../src/sql/schema/system-tables.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openShop } from "./open.ts"

const hooks = cleanUp(after)

function logOf({ log }: Storage) {
  assert.ok(log)
  return log
}

const run = ({ write }: Storage, text: string): Promise<unknown> | undefined =>
  write?.({
    shape: { commands: [{ text, takes: 0 }], wanted: [], takes: 0, sure: true },
    parameters: [],
  })

test("an id has its epoch, and ids of before there were epochs are good", () => {
  const ids = createEventIds("a secret of the tests", "shop")
  const [first, later] = [
    { epoch: firstEpoch, position: 2n ** 40n + 1n },
    { epoch: "00ff00ff00", position: 12n },
  ]
  for (const place of [first, later])
    for (const made of [ids.idOf(place), ids.cursorOf(place)]) assert.deepEqual(ids.placeOf(made), place)
  assert.notEqual(ids.idOf(later), ids.idOf({ ...later, epoch: firstEpoch }))
  // Made by the version before.
  for (const made of ["evt_7HCjkOp9OYM0yE6_rZdcig", "evc_6VX2HdZQ76Pj8wx-Joo-C2bWlj6wB3xgHYMKEVm-C-4nu6cb"])
    assert.deepEqual(ids.placeOf(made), { epoch: firstEpoch, position: 12n })
  assert.equal(ids.idOf({ epoch: firstEpoch, position: 12n }), "evt_7HCjkOp9OYM0yE6_rZdcig")
})

for (const database of dialects)
  describe(`places in the log on ${database}`, () => {
    test("a place of another log is not followed, and no position is kept by it", async () => {
      const shop = await openShop(hooks, database)
      const log = logOf(shop.storage)
      const ids = [await shop.order("1"), await shop.order("2"), await shop.order("3")]
      const { end } = await log.end()
      assert.deepEqual(await log.follow(end, 10), { rows: [], through: end, size: 2 })
      const other = { epoch: "ffffffffff", position: end.position - 1n }
      const beyond = { ...end, position: end.position + 5n }
      for (const place of [other, beyond]) {
        assert.equal((await log.end(place)).isKnown, false)
        assert.equal((await log.follow(place, 10)).gap, "replaced")
      }
      // The end of its epoch is gone: positions behind it would be given again.
      const { end: renamed } = await log.end()
      assert.equal(renamed.position, end.position)
      assert.notEqual(renamed.epoch, end.epoch)
      assert.deepEqual((await log.end(beyond)).end, renamed, "once")
      const kept = createCheckpoints(shop.storage)
      await kept.ready()
      await kept.add("mail", 0n)
      const own = kept.as("me", () => renamed)
      await own.take(allPartitions, 60_000, [])
      const [record = ""] = ids
      const waiting = { handler: "mail", record, position: 1n, attempts: 1, due: null, error: null }
      for (const place of [other, beyond]) {
        const astray = kept.as("me", () => place)
        await astray.move({ handler: "mail", partitions: allPartitions, position: 2n })
        await astray.keep(waiting)
      }
      assert.deepEqual([(await kept.positions()).get("mail"), await kept.waiting()], [0n, []])
      await own.move({ handler: "mail", partitions: allPartitions, position: 2n })
      await own.keep(waiting)
      assert.equal((await kept.positions()).get("mail"), 2n)
      assert.deepEqual(
        (await kept.waiting()).map(({ epoch }) => epoch),
        [renamed.epoch],
      )
      assert.ok(allPartitions.includes(partitionOf(record)))
    })

    test("a log of before there were epochs has the first one, and what comes later another", async () => {
      const shop = await openShop(hooks, database)
      const before = logOf(shop.storage)
      await shop.order("1")
      await shop.order("2")
      await before.end()
      await run(shop.storage, "DROP TABLE bifold_epoch")
      const storage = await openStorage(shop.url, { writes: "unsafe" })
      hooks.after(() => storage.close())
      const log = logOf(storage)
      await shop.order("3")
      const rows = await log.read(0n, 10, { types: ["order.created"] })
      assert.deepEqual(
        rows.map(({ epoch }) => epoch === firstEpoch),
        [true, true, false],
      )
      const [, second] = rows
      assert.ok(second)
      const { gap, rows: later } = await log.follow({ epoch: firstEpoch, position: second.position }, 10)
      assert.equal(gap, undefined)
      assert.equal(later.length, 1)
    })

    test("each start of a database begins an epoch, which changes nothing of the one before", async () => {
      const shop = await openShop(hooks, database)
      const log = logOf(shop.storage)
      await shop.order("1")
      const { end } = await log.end()
      if (database === "sqlite") {
        const storage = await openStorage(shop.url, { writes: "unsafe" })
        hooks.after(() => storage.close())
      } else await run(shop.storage, "UPDATE bifold_epoch SET start = 'another'")
      await shop.order("2")
      const { rows, gap } = await log.follow(end, 10)
      assert.equal(gap, undefined)
      assert.equal(rows.length, 1)
      assert.notEqual(rows[0]?.epoch, end.epoch)
      assert.equal((await log.end(end)).isKnown, true)
      assert.equal((await log.end(rows[0])).isKnown, true)
    })
  })
