// Clients that leave while their requests wait for a turn: the places of these are given back.
import assert from "node:assert/strict"
import type { Socket } from "node:net"
import { test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import type { Actor } from "../../src/plan/access/actor.ts"
import type { Hooks } from "../support/database.ts"
import { anyone, dial, openLibrary } from "./open.ts"

/** Places, of which one client may have half. */
const mostRequests = 40
const own = mostRequests / 2

const post = (body: string): string =>
  `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const read = post(JSON.stringify({ query: "{ books(first: 1) { nodes { id } } }" }))

const get = "GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: localhost\r\n\r\n"

interface Held {
  readonly port: number
  /** Requests whose callers were looked for. */
  readonly begun: () => number
  /** How callers are found from now on. */
  become(identify: () => Actor | Promise<Actor>): void
}

async function openHeld(hooks: Hooks, first: () => Actor | Promise<Actor>): Promise<Held> {
  let [begun, identify] = [0, first]
  const { port } = await openLibrary(hooks, {
    mostRequests,
    identify() {
      begun += 1
      return identify()
    },
  })
  return {
    port,
    begun: () => begun,
    become(next) {
      identify = next
    },
  }
}

const dialMany = (port: number, count: number): Promise<readonly Socket[]> =>
  Promise.all(Array.from({ length: count }, () => dial(port)))

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(1)
}

/** The client has all of its places at a time: the last request would be refused if one were taken still. */
async function assertFree(held: Held): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Actor>()
  held.become(() => promise)
  const before = held.begun()
  const sockets = await dialMany(held.port, own)
  let refused = 0
  const answers = sockets.map(
    (socket) =>
      new Promise<string>((answered) =>
        socket.once("data", (data) => {
          refused += String(data).includes(" 503 ") ? 1 : 0
          answered(String(data))
        }),
      ),
  )
  for (const socket of sockets) socket.write(read)
  await until(() => held.begun() - before + refused === own)
  resolve(anyone)
  const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12))
  for (const socket of sockets) socket.destroy()
  assert.deepEqual(
    statuses.filter((status) => status !== "200"),
    [],
  )
}

test("clients that leave before anything of their bodies is read give their places back", async (context) => {
  // Longer than a turn of the server, so that all others wait.
  const held = await openHeld(context, () => {
    const end = performance.now() + 30
    while (performance.now() < end);
    return anyone
  })
  const busy = await dialMany(held.port, 6)
  const leaving = await dialMany(held.port, own - busy.length)
  for (const socket of busy) socket.write(get)
  for (const socket of leaving) socket.write(read)
  await until(() => held.begun() > 0)
  for (const socket of leaving) socket.destroy()
  await until(() => held.begun() === busy.length)
  await wait(100)
  assert.equal(held.begun(), busy.length, "nothing is begun for clients that have left")
  for (const socket of busy) socket.destroy()
  await assertFree(held)
})

test("a client that leaves with requests behind others gives their places back", async (context) => {
  const { promise, resolve } = Promise.withResolvers<Actor>()
  const held = await openHeld(context, () => promise)
  const [socket] = (await dialMany(held.port, 1)) as [Socket]
  // Not as many that nothing more is read of the connection.
  socket.write(read.repeat(12))
  await until(() => held.begun() === 1)
  await wait(20)
  socket.destroy()
  await wait(20)
  resolve(anyone)
  await assertFree(held)
})
