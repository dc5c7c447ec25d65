// The end of the log, shared by all who follow it in a process: nobody waits for the next look when something was told, and a
// failure is of one moment.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createFeed } from "../../src/events/log/feed.ts"
import { createLogTail } from "../../src/events/log/log-tail.ts"
import type { AnswerPlan } from "../../src/http/face.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { createFaces } from "../../src/server/service.ts"
import { type LogPlace, logStart } from "../../src/sql/log/epochs.ts"
import { overloaded } from "../../src/storage/faults.ts"
import type { Log } from "../../src/storage/log-types.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Hooks } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { notes } from "./notes.ts"
import { openDatabase, openServer } from "./open.ts"

const model = load(withSystem(notes))
const staff = "role:staff"
const secret = "a secret of the tests"
/** Milliseconds: no test waits for it. */
const look = 3_600_000

async function openLog(hooks: Hooks, url: string) {
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const { log } = storage
  if (!log) throw new Error("a storage that writes has a log")
  return { log, ...createFaces({ model, storage, secret, base: "" }) }
}

/** Once, its rows arrive only when that is allowed: they are those of before. */
function held(log: Log) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  const follow: Log["follow"] = async (...given) => {
    const part = await log.follow(...given)
    reads += 1
    if (reads > 1) return part
    asked.resolve()
    await released.promise
    return part
  }
  return { follow, end: () => log.end(), asked: asked.promise, release: released.resolve }
}

for (const database of dialects)
  describe(`the end of the log, ${database}`, { concurrency: true }, () => {
    test("who comes while it is read is told of what was written meanwhile", {
      timeout: 20_000,
    }, async (t) => {
      const url = await openDatabase(t, database)
      const server = await openServer(t, url)
      const { log } = await openLog(t, url)
      const slow = held(log)
      const tail = createLogTail({ log: slow, look })
      t.after(() => tail.close())
      const { end } = await log.end()
      const { signal } = new AbortController()
      const first = tail.next(end, signal)
      await slow.asked
      await server.send("POST", "/folders", staff, {
        title: "x",
        ownerId: (await server.send("POST", "/people", staff, { name: "A" })).body.id,
      })
      tail.wake()
      const second = tail.next(end, signal)
      slow.release()
      const [one, other] = await Promise.all([first, second])
      assert.deepEqual(
        one?.rows.map(({ resource }) => resource),
        ["folder"],
      )
      assert.deepEqual(other?.rows, one?.rows)
    })

    test("events that could not be read once are read by those who come again", async (t) => {
      const url = await openDatabase(t, database)
      const server = await openServer(t, url)
      const { log, answer } = await openLog(t, url)
      let fails = false
      const failing: AnswerPlan = (plan, actor) =>
        fails ? Promise.reject(overloaded()) : answer(plan, actor)
      const feed = createFeed({ model, log, answer: failing, secret, look })
      t.after(() => feed.close())
      const { body } = await server.send("POST", "/people", staff, { name: "A" })
      const write = () => server.send("POST", "/folders", staff, { title: "x", ownerId: body.id })
      const subscription = { actor: actorFromText(model, staff), places: { resource: [], conditions: [] } }
      const follow = (from: LogPlace) => feed.follow(subscription, from, new AbortController().signal).next()
      await write()
      await follow(logStart)
      const end = await feed.after("now", [])
      await write()
      fails = true
      await assert.rejects(follow(end), { name: "Refusal" })
      fails = false
      const { value } = await follow(end)
      assert.ok(value?.kind === "events")
      assert.deepEqual(
        value.events.map(({ kind, resource }) => [kind, resource]),
        [["CREATED", "folder"]],
      )
    })

    test("who comes again to events that are kept sees what the rules show now", async (t) => {
      const url = await openDatabase(t, database)
      const server = await openServer(t, url)
      const { log, answer } = await openLog(t, url)
      const feed = createFeed({ model, log, answer, secret, look })
      t.after(() => feed.close())
      const made = async (path: string, body: object): Promise<string> =>
        (await server.send("POST", path, staff, body)).body.id
      const [ann, ben] = [await made("/people", { name: "A" }), await made("/people", { name: "B" })]
      const folders = [
        await made("/folders", { title: "one", ownerId: ben, open: true }),
        await made("/folders", { title: "other", ownerId: ben, open: true }),
      ]
      const note = (folderId: string | undefined) => made("/notes", { text: "x", ownerId: ben, folderId })
      const subscription = {
        actor: actorFromText(model, `person:${ann}`),
        resource: "note",
        places: { resource: [], conditions: [] },
      }
      const first = async (from: LogPlace) => {
        const { value } = await feed.follow(subscription, from, new AbortController().signal).next()
        return value?.kind === "events" ? value.events.map(({ kind, row }) => [kind, row.position]) : []
      }
      await note(folders[0])
      assert.equal((await first(logStart)).length, 1)
      const end = await feed.after("now", [])
      await note(folders[0])
      const seen = await first(end)
      assert.equal(seen[0]?.[0], "CREATED")
      assert.deepEqual(await first(end), seen)
      await server.send("PATCH", `/folders/${folders[0]}`, staff, { open: false })
      await note(folders[1])
      const later = await first(end)
      assert.equal(later[0]?.[0], "CREATED")
      assert.notDeepEqual(later, seen)
    })
  })
