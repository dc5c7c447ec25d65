// 32 who write at once, some of them in transactions that take their time: who follows a stream misses nothing, and sees the
// changes of each record in their order. Feeds that are broken in the two usual ways are told from it.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { logStart } from "../../src/sql/log/epochs.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { feedByBareSequence } from "./controls.ts"
import { openDatabase, openServer, openStream, until } from "./open.ts"
import { openSubscription } from "./subscriber.ts"
import { counters, lastVersions, mistakesIn, type Seen, write } from "./writers.ts"

const changes = process.env["BIFOLD_PROOF"] === "full" ? 100_000 : 300
const writers = 32
const records = 16
const staff = "role:staff"

for (const database of dialects)
  describe(`a stream while ${writers} write, on ${database}`, () => {
    const hooks = cleanUp(after)

    test("has every change once, and those of each record in their order", async (context) => {
      const url = await openDatabase(hooks, database, counters)
      const servers = [
        await openServer(hooks, url, counters),
        // The subscribers of another process are woken by its own looks at the log.
        await openServer(hooks, url, counters),
      ] as const
      const streams = await Promise.all(
        servers.map((server) => openStream(`${server.url}/events/stream?resource=counter`, staff)),
      )
      // From where a stream begins: a subscription says nothing when it has begun.
      await until(() => streams[0]?.lastId !== undefined)
      const socket = openSubscription(servers[1].url, staff, "counterChanges", {
        after: streams[0]?.lastId ?? "",
      })
      hooks.after(() => socket.cut())
      const naive = database === "postgres" ? await followBareSequence(url) : undefined
      const done = await write({ servers, database, records, writers, changes })
      const last = await lastVersions(servers[0])
      const seenBy = ({ frames }: (typeof streams)[number]): readonly Seen[] =>
        frames.map(({ data }) => data as unknown as Seen)
      const isWhole = (seen: readonly Seen[]): boolean =>
        [...last].every(([recordId, version]) =>
          seen.some((one) => one.recordId === recordId && one.version === version),
        )
      await until(
        () =>
          streams.every((stream) => stream.frames.length >= done + records && isWhole(seenBy(stream))) &&
          socket.cursors.length >= done + records,
      ).catch(() => {})
      for (const stream of streams) assert.deepEqual(mistakesIn(seenBy(stream), last), [])
      const [one, other] = streams.map(({ frames }) => frames.map(({ id }) => id))
      assert.deepEqual(other, one)
      assert.deepEqual(socket.cursors, one)
      assert.equal(one?.length, done + records)
      context.diagnostic(`${one.length} events, seen by 3 subscribers of 2 processes`)
      for (const stream of streams) stream.cut()
      if (!naive) return
      await sleep(200)
      const mistakes = mistakesIn(naive.seen, last)
      assert.ok(mistakes.length > 0, "whoever trusts the numbers of the database loses changes")
      context.diagnostic(
        `by bare sequence ${one.length - naive.seen.length} are lost: ${mistakes.length} mistakes`,
      )
      assert.deepEqual(
        servers.flatMap(({ observed }) => observed),
        [],
      )
    })

    const followBareSequence = async (url: string): Promise<{ readonly seen: readonly Seen[] }> => {
      const feed = await feedByBareSequence(hooks, { model: counters, url })
      const ending = new AbortController()
      hooks.after(() => ending.abort())
      const seen: Seen[] = []
      const items = feed.follow(
        { actor: actorFromText(counters, staff), places: { resource: [], conditions: [] } },
        logStart,
        ending.signal,
      )
      const follow = async (): Promise<void> => {
        for await (const item of items)
          if (item.kind === "events")
            for (const { row, entry } of item.events)
              if (entry) seen.push({ recordId: row.record, version: entry.version })
      }
      void follow()
      return { seen }
    }
  })

test("events that are written after the commit are out of order, and some are never written", async (hooks) => {
  const url = await openDatabase(hooks, "sqlite", counters)
  const server = await openServer(hooks, url, counters)
  const { body } = await server.send("POST", "/counters", staff, {})
  const stream = await openStream(`${server.url}/events/stream`, staff)
  const published: Seen[] = []
  const isLost = (turn: number): boolean => turn % 40 === 39
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; count < 20; count += 1) {
        const answer = await server.send("PATCH", `/counters/${body.id}?fields=id,etag`, staff, { count })
        // Another process would be busy, or would have ended, here.
        await sleep(Math.random() * 5)
        if (!isLost(writer * 20 + count))
          published.push({ recordId: body.id, version: String(answer.body["etag"]) })
      }
    }),
  )
  await stream.until(160)
  const last = await lastVersions(server)
  assert.deepEqual(
    mistakesIn(
      stream.frames.map(({ data }) => data as unknown as Seen),
      last,
    ),
    [],
  )
  assert.equal(new Set(published.map(({ version }) => version)).size, 156)
  assert.ok(mistakesIn(published, last).length > 10)
  const inOrder = published.toSorted((one, two) => Number(BigInt(one.version) - BigInt(two.version)))
  assert.ok(mistakesIn(inOrder, last).length > 0, "what was never written is missed")
  stream.cut()
})
