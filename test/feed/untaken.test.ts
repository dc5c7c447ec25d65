// What is made for followers that do not read is bounded, and those that do read get theirs.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { startRequest } from "../../src/base/request.ts"
import { OwnRoom } from "../../src/events/log/room.ts"
import { isStream } from "../../src/http/answer.ts"
import type { FaceRequest } from "../../src/http/face.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { createFaces } from "../../src/server/service.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp } from "../support/database.ts"
import { notes } from "./notes.ts"
import { openDatabase, until } from "./open.ts"

/** As `mostHeld` of the feed has it. */
const bounds = { client: 8_000_000, all: 32_000_000 } as const
const text = "x".repeat(900_000)
/** Answers of live reads that are made at a time, before their size is known: here they have three notes at the most. */
const beyond = 16 * 3 * text.length
const staff = "role:staff"

async function openFaces() {
  const hooks = cleanUp(after)
  const model = load(withSystem(notes))
  const url = await openDatabase(hooks, "sqlite", model)
  const storage = await openStorage(url, { writes: "unsafe" })
  const served = createFaces({ model, storage, secret: "a secret of the tests", base: "", look: 20 })
  hooks.after(async () => {
    served.endStreams()
    await storage.close()
  })
  const actor = actorFromText(model, staff)
  const faces = served.facesFor(actor)
  const ask = (client: string, face: "rest" | "graphql", request: Partial<FaceRequest>) =>
    faces[face]({
      inner: startRequest(client),
      method: "GET",
      path: "/",
      query: "",
      headers: {},
      body: "",
      requestId: "test",
      actor,
      ...request,
    } as FaceRequest)
  const create = async (path: string, body: object): Promise<string> => {
    const headers = { "content-type": "application/json" }
    const answer = await ask("writer", "rest", {
      method: "POST",
      path,
      headers,
      body: Buffer.from(JSON.stringify(body)),
    })
    assert.equal(answer.status, 201, String(answer.body))
    return JSON.parse(String(answer.body)).id
  }
  return { ask, create }
}

describe("room for what is not taken", () => {
  const most = { client: 100, all: 150, unmeasured: 3 } as const
  const openRoom = () => {
    const room = new OwnRoom(most)
    const order: string[] = []
    const enter = async (client: string, size: number) => {
      const held = await room.enter({ client, cut: () => void order.push(`cut ${client}`) }, size)
      held.measured(size)
      order.push(client)
      return held
    }
    const look = (times: number): void => {
      for (let count = 0; count < times; count += 1) room.cutLate()
    }
    return { room, order, enter, look, turn: () => new Promise((resolve) => setImmediate(resolve)) }
  }

  test("is shared out by clients, who wait in turns", async () => {
    const { room, order, enter, turn } = openRoom()
    const first = await enter("a", 90)
    for (let count = 0; count < 3; count += 1) void enter("a", 50)
    void enter("b", 50)
    void enter("c", 20)
    await turn()
    assert.deepEqual([order, room.size], [["a", "b"], 140])
    assert.equal(room.isFull("a"), true)
    first.release()
    await turn()
    // Each client one, then the first again.
    assert.deepEqual([order, room.size], [["a", "b", "a", "c"], 120])
  })

  test("is given to what is larger than a client's part where the client has nothing", async () => {
    const { order, enter, turn } = openRoom()
    const large = await enter("a", 1_000)
    void enter("a", 1)
    void enter("b", 1)
    await turn()
    assert.deepEqual(order, ["a"])
    large.release()
    await turn()
    assert.deepEqual(order, ["a", "a", "b"])
  })

  test("is taken from those that take nothing for a while in which others wait", async () => {
    const { room, order, enter, look, turn } = openRoom()
    await enter("a", 80)
    look(3)
    await enter("b", 60)
    look(9)
    assert.deepEqual(order, ["a", "b"], "nobody waits")
    void enter("c", 50)
    await turn()
    look(1)
    await turn()
    assert.deepEqual([order, room.size], [["a", "b", "cut a", "c"], 110])
    const again = await enter("b", 30)
    void enter("d", 60)
    look(1)
    await turn()
    assert.deepEqual(order.slice(4), ["b", "cut b", "d"])
    again.release()
    assert.equal(room.size, 140 - 30)
  })

  test("is for a few at a time of one client whose size is not known yet", async () => {
    const room = new OwnRoom({ ...most, unmeasured: 4 })
    const order: string[] = []
    for (const client of ["a", "a", "a", "b"])
      void room.enter({ client }, 0).then(() => void order.push(client))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(order, ["a", "a", "b"])
  })

  test("is taken at once, or not at all", async () => {
    const { room, order, enter, turn } = openRoom()
    const own = room.take("a", 90)
    assert.ok(own)
    assert.equal(room.take("a", 20), undefined)
    assert.equal(room.take("b", 70), undefined)
    void enter("b", 70)
    await turn()
    assert.deepEqual([order, room.take("b", 1)], [[], undefined], "others wait")
    own.release()
    await turn()
    assert.deepEqual([order, room.size], [["b"], 70])
  })

  test("is for a few at a time whose size is not known yet", async () => {
    const room = new OwnRoom(most)
    const made = await Promise.all(["a", "b", "c"].map((client) => room.enter({ client }, 0)))
    let isIn = false
    void room.enter({ client: "d" }, 0).then(() => {
      isIn = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(isIn, false)
    made[0]?.measured(40)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(isIn, true)
    assert.equal(room.size, 40)
  })
})

type Faces = Awaited<ReturnType<typeof openFaces>>

const asks = {
  stream: ({ ask }: Faces, client: string) =>
    ask(client, "rest", { path: "/events/stream", query: "resource=note" }),
  subscription: ({ ask }: Faces, client: string) =>
    ask(client, "graphql", {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json" },
      body: Buffer.from(
        JSON.stringify({ query: "subscription { noteChanges { recordId note { id text } } }" }),
      ),
    }),
  "live read": ({ ask }: Faces, client: string) =>
    ask(client, "rest", { path: "/notes", query: "live=true&interval=0.1" }),
  "live query": ({ ask }: Faces, client: string) =>
    ask(client, "graphql", {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json" },
      body: Buffer.from(
        JSON.stringify({ query: "query @live(interval: 0.1) { notes { nodes { id text } } }" }),
      ),
    }),
} as const

/** Frames that were made for followers and are not taken, in bytes. */
interface Untaken {
  now: number
  most: number
  cut: number
}

/** Takes nothing after its first event. Resolves when that is made, or it was cut. */
async function followSlowly(faces: Faces, how: keyof typeof asks, client: string, untaken: Untaken) {
  const { body } = await asks[how](faces, client)
  assert.ok(isStream(body))
  let held = 0
  const cut = Promise.withResolvers<void>()
  body.cut?.addEventListener("abort", () => {
    untaken.cut += 1
    untaken.now -= held
    // As the server does with what it sends.
    void pieces.return?.()
    cut.resolve()
  })
  const pieces = body[Symbol.asyncIterator]()
  const begin = pieces.next()
  return async (): Promise<void> => {
    await begin
    for (;;) {
      const next = await Promise.race([pieces.next(), cut.promise])
      if (!next || next.done) return
      if (next.value.length < text.length) continue
      if (body.cut?.aborted) return
      held = Buffer.byteLength(next.value)
      untaken.now += held
      untaken.most = Math.max(untaken.most, untaken.now)
      return
    }
  }
}

describe("of 300 followers that do not read, as much is made as there is room for", () => {
  for (const how of ["stream", "subscription", "live read", "live query"] as const)
    test(`by ${how}, and one that reads gets all`, async () => {
      const faces = await openFaces()
      const ownerId = await faces.create("/people", { name: "A" })
      const untaken: Untaken = { now: 0, most: 0, cut: 0 }
      const slow = await Promise.all(
        Array.from({ length: 300 }, (_, at) => followSlowly(faces, how, `slow ${at % 30}`, untaken)),
      )
      // The database is closed while some of them are asked for.
      for (const take of slow) void take().catch(() => {})
      // Begun last: all others would have theirs before.
      const { body } = await asks[how](faces, "quick")
      assert.ok(isStream(body))
      const taken: number[] = []
      const read = async (): Promise<void> => {
        for await (const piece of body) if (piece.length > text.length) taken.push(piece.length)
      }
      void read().catch(() => {})
      for (let at = 0; at < 3; at += 1) {
        await faces.create("/notes", { text: `${text}${at}`, ownerId })
        // Writes that follow each other closely are one change of a live answer.
        await until(() => taken.length === at + 1)
      }
      const most = bounds.all + (how.startsWith("live") ? beyond : 0)
      assert.ok(untaken.most <= most, `${untaken.most} bytes were made and not taken`)
      assert.ok(
        untaken.most > bounds.all - 2 * text.length,
        `${untaken.most} are less than there is room for`,
      )
      assert.ok(untaken.cut > 0 && untaken.cut < 300, `${untaken.cut} were cut`)
    })
})

describe("followers that are sent the same text share its bytes", () => {
  const different = {
    stream: ({ ask }: Faces, never: string) =>
      ask("one", "rest", { path: "/events/stream", query: `resource=note&filter[text][ne]=${never}` }),
    subscription: ({ ask }: Faces, never: string) =>
      ask("one", "graphql", {
        method: "POST",
        headers: { accept: "text/event-stream", "content-type": "application/json" },
        body: Buffer.from(
          JSON.stringify({
            query: `subscription { noteChanges(where: { text: { ne: "${never}" } }) { note { id text } } }`,
          }),
        ),
      }),
  } as const
  for (const how of ["stream", "subscription"] as const)
    test(`by ${how}, whatever they ask besides`, async () => {
      const faces = await openFaces()
      const ownerId = await faces.create("/people", { name: "A" })
      const first = async (never: string) => {
        const { body } = await different[how](faces, never)
        assert.ok(isStream(body))
        const pieces = body[Symbol.asyncIterator]()
        const begin = pieces.next()
        return async () => {
          await begin
          for (;;) {
            const { value, done } = await pieces.next()
            if (done || value.length > text.length) return value
          }
        }
      }
      const followers = [await first("a"), await first("b")]
      const taken = Promise.all(followers.map((take) => take()))
      await faces.create("/notes", { text, ownerId })
      const [one, other] = await taken
      assert.ok(Buffer.isBuffer(one))
      assert.equal(one, other)
    })
})

test("live answers are kept to be compared as far as there is room, and changes come whole beyond", async () => {
  const faces = await openFaces()
  const ownerId = await faces.create("/people", { name: "A" })
  await faces.create("/notes", { text, ownerId })
  const follow = async () => {
    const { body } = await asks["live read"](faces, "one")
    assert.ok(isStream(body))
    const kinds: string[] = []
    const read = async (): Promise<void> => {
      for await (const piece of body) kinds.push(/^event: (\w+)/.exec(String(piece))?.[1] ?? "")
    }
    void read().catch(() => {})
    await until(() => kinds.includes("answer"))
    return kinds
  }
  const followers: string[][] = []
  for (let count = 0; count < 12; count += 1) followers.push(await follow())
  await faces.create("/notes", { text: "short", ownerId })
  await until(() => followers.every((kinds) => kinds.length === 3))
  const kept = Math.floor(bounds.client / text.length)
  assert.deepEqual(
    followers.map((kinds) => kinds[2]),
    followers.map((_, at) => (at < kept ? "patch" : "answer")),
  )
})
