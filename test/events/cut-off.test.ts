// A process that the database cannot be reached from, for longer than its leases: what it has begun is given up when they run
// out, since another process begins with it then.
import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { handler } from "../../src/index.ts"
import type { Hooks } from "../support/database.ts"
import { type On, openShop } from "./open.ts"

interface Line {
  readonly address: string
  /** Nothing passes any more; no connection ends. */
  cut(): void
  mend(): void
}

/** A way to the database that can be cut. */
async function openLine(hooks: Hooks, database: string): Promise<Line> {
  const to = new URL(database)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on("data", (data) => other.write(data))
      one.on("error", () => {})
      one.on("close", () => {
        sockets.delete(one)
        other.destroy()
      })
      if (isCut) one.pause()
    }
  })
  let isCut = false
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = new URL(database)
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const mend = (): void => {
    isCut = false
    for (const socket of sockets) socket.resume()
  }
  hooks.after(() => {
    mend()
    server.close()
  })
  return {
    address: address.href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    mend,
  }
}

test("calls of a process that is cut off from the database end before another begins them", async (context) => {
  const shop = await openShop(context, "postgres")
  const line = await openLine(context, shop.url)
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
  const one = await shop.start(on("one"), { lease, address: line.address })
  const id = await shop.order("1")
  while (!running.has(id)) await wait(5)
  line.cut()
  const other = await shop.start(on("other"), { lease })
  const deadline = Date.now() + 20_000
  while (done.length === 0 && Date.now() < deadline) {
    other.wake()
    await wait(20)
  }
  assert.deepEqual([mistakes, done], [[], [`other ${id}`]])
  isHeld = false
  line.mend()
  await other.settled()
  await one.close()
  assert.deepEqual([mistakes, done], [[], [`other ${id}`]])
})
