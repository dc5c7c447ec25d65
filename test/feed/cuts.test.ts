// Streams that are cut at any byte: a client that goes on after the last event that it has gets the log, each event once.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { dialects } from "../support/open-service.ts"
import { type FeedServer, openDatabase, openServer, openStream } from "./open.ts"
import { startRelay } from "./relay.ts"
import { openSubscription } from "./subscriber.ts"

/** Of each transport, on each database. */
const cuts = process.env["BIFOLD_PROOF"] === "full" ? 250 : 5
const staff = "role:staff"
/** Milliseconds for events to arrive of which the last is written. */
const patience = 15_000

/** What a client has until it is cut, or has got what it waits for. */
type Follow = (url: string, cursor: string, isLast: (cursor: string) => boolean) => Promise<readonly string[]>

const followBySse: Follow = async (url, cursor, isLast) => {
  const stream = await openStream(`${url}/events/stream?resource=note`, staff, {
    "last-event-id": cursor,
  }).catch(() => undefined)
  const ids = (): readonly string[] => stream?.frames.map(({ id }) => String(id)) ?? []
  const ending = watch(() => stream?.cut(), ids, isLast)
  await stream?.ended
  clearInterval(ending)
  assert.ok(stream === undefined || stream.status === 200)
  return ids()
}

const followBySocket: Follow = async (url, cursor, isLast) => {
  const socket = openSubscription(url, staff, "noteChanges", { after: cursor })
  const ending = watch(
    () => socket.cut(),
    () => socket.cursors,
    isLast,
  )
  await socket.ended
  clearInterval(ending)
  return socket.cursors
}

const watch = (cut: () => void, ids: () => readonly string[], isLast: (id: string) => boolean) =>
  setInterval(() => {
    if (isLast(ids().at(-1) ?? "")) cut()
  }, 5)

/** All events of notes, in their order. */
async function eventsOf(server: FeedServer): Promise<readonly string[]> {
  const all: string[] = []
  for (let after = ""; ; ) {
    const { body } = await server.send("GET", `/events?resource=note&limit=100${after}`, staff)
    const { data, page } = body as unknown as {
      readonly data: readonly { readonly id: string }[]
      readonly page: { readonly next: string; readonly hasMore: boolean }
    }
    all.push(...data.map(({ id }) => id))
    if (!page.hasMore) return all
    after = `&after=${page.next}`
  }
}

for (const database of dialects)
  for (const [transport, follow] of [
    ["server-sent events", followBySse],
    ["WebSocket", followBySocket],
  ] as const)
    test(`${cuts} cuts of streams by ${transport} lose nothing and repeat nothing, on ${database}`, async (context) => {
      const server = await openServer(context, await openDatabase(context, database))
      const { body: owner } = await server.send("POST", "/people", staff, { name: "A" })
      const { body: first } = await server.send("POST", "/notes", staff, { text: "0", ownerId: owner.id })
      // Within the head of the answer, too.
      const relay = await startRelay(context, server.url, () => Math.ceil(Math.random() ** 2 * 6_000))
      let last = ""
      let ended = Number.POSITIVE_INFINITY
      const writing = async (): Promise<void> => {
        while (relay.cuts() < cuts) {
          await server.send("PATCH", `/notes/${first.id}`, staff, { text: `${Math.random()}` })
          await sleep(Math.random() * 10)
        }
        last = (await eventsOf(server)).at(-1) ?? ""
        ended = performance.now()
      }
      const [begin = ""] = await eventsOf(server)
      const got: string[] = []
      const following = async (): Promise<void> => {
        const isLast = (cursor: string): boolean =>
          performance.now() > ended + patience || (last !== "" && (cursor || got.at(-1)) === last)
        while (!isLast("")) got.push(...(await follow(relay.url, got.at(-1) ?? begin, isLast)))
      }
      await Promise.all([writing(), following()])
      assert.deepEqual([begin, ...got], await eventsOf(server))
      assert.ok(got.length > 2)
      context.diagnostic(`${relay.cuts()} cuts, ${got.length} events`)
      assert.deepEqual(server.observed, [])
    })
