// Streams of events over HTTP: as they happen, resumed after a cut, by several processes, and ended when they have to be.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type FeedServer, type Frame, openDatabase, openServer, openStream, until } from "./open.ts"

const kinds = (frames: readonly Frame[]): readonly unknown[] => frames.map(({ data }) => data["kind"])
const staff = "role:staff"

for (const database of dialects)
  describe(`streams of events, ${database}`, () => {
    const hooks = cleanUp(after)
    const people = async (server: FeedServer): Promise<readonly [string, string]> => {
      const [ann, ben] = await Promise.all(
        ["A", "B"].map((name) => server.send("POST", "/people", staff, { name })),
      )
      return [`person:${ann?.body.id}`, `person:${ben?.body.id}`]
    }
    const idOf = (actor: string): string => actor.replace("person:", "")

    test("each subscriber is told of its own, in order, by the same ids as in pages", async () => {
      const server = await openServer(hooks, await openDatabase(hooks, database))
      const [ann, ben] = await people(server)
      const [annSees, benSees, staffSees] = await Promise.all(
        [ann, ben, staff].map((actor) => openStream(`${server.url}/events/stream`, actor)),
      )
      assert.ok(annSees && benSees && staffSees)
      assert.equal(annSees.status, 200)
      const { body } = await server.send("POST", "/notes", staff, { text: "one", ownerId: idOf(ann) })
      await annSees.until(1)
      await server.send("PATCH", `/notes/${body.id}`, staff, { ownerId: idOf(ben) })
      await benSees.until(1)
      // A look after the end of the record shows its end alone.
      await staffSees.until(2)
      await server.send("DELETE", `/notes/${body.id}`, staff)
      await benSees.until(2)
      await annSees.until(2)
      await staffSees.until(3)
      assert.deepEqual(kinds(annSees.frames), ["CREATED", "LEFT"])
      assert.deepEqual(kinds(benSees.frames), ["ENTERED", "DELETED"])
      assert.deepEqual(kinds(staffSees.frames), ["CREATED", "UPDATED", "DELETED"])
      const page = await server.send("GET", "/events", staff)
      assert.deepEqual(
        (page.body["data"] as readonly { id: string }[]).map(({ id }) => id),
        [staffSees.frames[2]?.id],
      )
      for (const one of [annSees, benSees, staffSees]) one.cut()
      assert.deepEqual(server.observed, [])
    })

    test("a stream goes on after the last event that its client has, in another process too", async () => {
      const url = await openDatabase(hooks, database)
      const [one, other] = [await openServer(hooks, url), await openServer(hooks, url)]
      const [ann] = await people(one)
      const first = await openStream(
        `${one.url}/events/stream?resource=note&types=note.created,note.updated`,
        ann,
      )
      const { body } = await other.send("POST", "/notes", staff, { text: "0", ownerId: idOf(ann) })
      const [{ id } = { id: undefined }] = await first.until(1)
      first.cut()
      for (const text of ["1", "2"]) await one.send("PATCH", `/notes/${body.id}`, staff, { text })
      const again = await openStream(`${other.url}/events/stream?resource=note`, ann, {
        "last-event-id": String(id),
      })
      await again.until(2)
      await one.send("PATCH", `/notes/${body.id}`, staff, { text: "3" })
      const frames = await again.until(3)
      assert.deepEqual(
        frames.map(({ data }) => (data["changes"] as readonly { to: unknown }[])[0]?.to),
        ["1", "2", "3"],
      )
      again.cut()
    })

    test("a stream that is cut before its first event goes on from where it began", async () => {
      const server = await openServer(hooks, await openDatabase(hooks, database))
      const [ann] = await people(server)
      const first = await openStream(`${server.url}/events/stream?resource=note`, ann)
      await until(() => first.lastId !== undefined)
      first.cut()
      assert.deepEqual(first.frames, [])
      await server.send("POST", "/notes", staff, { text: "0", ownerId: idOf(ann) })
      const again = await openStream(`${server.url}/events/stream?resource=note`, ann, {
        "last-event-id": String(first.lastId),
      })
      const [frame] = await again.until(1)
      assert.equal(frame?.data["kind"], "CREATED")
      // A cursor that was given stands until an event comes.
      assert.equal(again.lastId, frame?.id)
      again.cut()
    })

    test("what is no longer in the log is said to be missing", async () => {
      const url = await openDatabase(hooks, database)
      const server = await openServer(hooks, url)
      const [ann] = await people(server)
      const { body } = await server.send("POST", "/notes", staff, { text: "0", ownerId: idOf(ann) })
      const page = await server.send("GET", "/events", ann)
      const cursor = (page.body["page"] as { next: string }).next
      for (const text of ["1", "2", "3"]) await server.send("PATCH", `/notes/${body.id}`, staff, { text })
      await server.forget()
      const gone = await server.send("GET", `/events?after=${cursor}`, ann)
      assert.deepEqual([gone.status, gone.body["code"]], [410, "events_expired"])
      assert.match(JSON.stringify(gone.body["errors"]), /after \\"now\\"/)
      const stream = await openStream(`${server.url}/events/stream?after=${cursor}`, ann)
      const [gap, event] = await stream.until(2)
      assert.deepEqual([gap?.event, gap?.id, gap?.data], ["gap", undefined, { code: "events_expired" }])
      assert.equal(event?.data["kind"], "UPDATED")
      stream.cut()
    })

    test("credentials that are revoked end their stream", async () => {
      const server = await openServer(hooks, await openDatabase(hooks, database))
      const [ann] = await people(server)
      const [kept, revoked] = await Promise.all([
        openStream(`${server.url}/events/stream`, staff),
        openStream(`${server.url}/events/stream`, ann),
      ])
      let ended = false
      const watched = revoked.ended.then(() => {
        ended = true
      })
      server.revoke(ann)
      await until(() => ended)
      await watched
      await server.send("POST", "/notes", staff, { text: "0", ownerId: idOf(ann) })
      await kept.until(1)
      assert.deepEqual(revoked.frames, [])
      kept.cut()
    })

    test("a server that closes ends its streams, with all that was written", async () => {
      const server = await openServer(hooks, await openDatabase(hooks, database))
      const [ann] = await people(server)
      const stream = await openStream(`${server.url}/events/stream`, ann)
      await server.send("POST", "/notes", staff, { text: "0", ownerId: idOf(ann) })
      await stream.until(1)
      await server.end()
      await stream.ended
      assert.deepEqual(server.observed, [])
    })
  })
