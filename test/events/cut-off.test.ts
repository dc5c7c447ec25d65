// A process that the database cannot be reached from, for longer than its leases: what it has begun is given up when they run
// out, since another process begins with it then.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { handler } from "../../src/index.ts"
import { muffled } from "../support/muffled.ts"
import { type On, openShop } from "./open.ts"

test("calls of a process that is cut off from the database end before another begins them", async (context) => {
  const shop = await openShop(context, "postgres")
  const line = await muffled(context, shop.url)
  const running = new Map<string, string>()
  const mistakes: string[] = []
  const done: string[] = []
  let isHeld = true
  const on = (name: string): On => ({
    "order.created": handler({
      async run({ event: { recordId }, signal }) {
        if (running.has(recordId))
          mistakes.push(`${name} begins ${recordId}, which ${running.get(recordId)} has`)
        running.set(recordId, name)
        while (isHeld && name === "one" && !signal.aborted) await wait(5)
        running.delete(recordId)
        signal.throwIfAborted()
        done.push(`${name} ${recordId}`)
      },
    }),
  })
  const lease = 1_000
  const one = await shop.start(on("one"), { lease, address: line.url })
  const id = await shop.order("1")
  while (!running.has(id)) await wait(5)
  line.muffle()
  const other = await shop.start(on("other"), { lease })
  const deadline = Date.now() + 20_000
  while (done.length === 0 && Date.now() < deadline) {
    other.wake()
    await wait(20)
  }
  assert.deepEqual([mistakes, done], [[], [`other ${id}`]])
  // Its questions are answered by nobody, for longer than it may take to end.
  const ending = await Promise.race([one.end().then(() => "ended"), wait(lease * 4)])
  assert.equal(ending, "ended")
  isHeld = false
  await other.settled()
  assert.deepEqual([mistakes, done], [[], [`other ${id}`]])
})
