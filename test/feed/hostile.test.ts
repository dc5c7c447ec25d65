// Sockets and streams under clients that break the protocol, ask for too much, or ask for what is not theirs.
import assert from "node:assert/strict"
import { once } from "node:events"
import { after, describe, test } from "node:test"
import { WebSocket } from "ws"
import { createEventIds } from "../../src/events/log/event-ids.ts"
import { logStart } from "../../src/sql/log/epochs.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { notes } from "./notes.ts"
import { type FeedServer, openDatabase, openServer, openStream, until } from "./open.ts"
import { closeCodeAfter, frameBytes, text } from "./raw-socket.ts"
import { openSubscription } from "./subscriber.ts"

const staff = "role:staff"
const init = (actor: string): string =>
  JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${actor}` } })
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

interface Message {
  readonly id?: string
  readonly type: string
  readonly payload?: readonly { readonly message?: string; readonly extensions: { readonly code: string } }[]
}

/** An acknowledged connection, and what it is sent. */
async function acknowledged(server: FeedServer, actor: string) {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws")
  const messages: Message[] = []
  socket.on("message", (data) => void messages.push(JSON.parse(String(data)) as Message))
  await once(socket, "open")
  socket.send(init(actor))
  await once(socket, "message")
  return { socket, messages }
}

const subscribe = (id: string, query = "subscription { noteChanges { recordId } }"): string =>
  JSON.stringify({ id, type: "subscribe", payload: { query } })

describe("hostile clients of sockets", { concurrency: true }, () => {
  const hooks = cleanUp(after)
  const open = async () => {
    const server = await openServer(hooks, await openDatabase(hooks, "sqlite"))
    const { body } = await server.send("POST", "/people", staff, { name: "A" })
    const write = () => server.send("POST", "/notes", staff, { text: "x", ownerId: body.id })
    return { server, write }
  }

  test("frames that break RFC 6455 are closed with its codes, and nobody else is", async () => {
    const { server, write } = await open()
    const other = openSubscription(server.url, staff, "noteChanges", {})
    await other.begun
    const none = Buffer.alloc(0)
    const big = 1_000_001
    const cases: readonly (readonly [name: string, bytes: readonly Buffer[], code: number])[] = [
      ["a reserved bit", [frameBytes({ first: text | 0x40, payload: json({}) })], 1002],
      ["a reserved opcode", [frameBytes({ first: 0x83, payload: none })], 1002],
      ["no mask", [frameBytes({ first: text, payload: json({}), masked: false })], 1002],
      ["a continuation of nothing", [frameBytes({ first: 0x80, payload: none })], 1002],
      ["a ping in parts", [frameBytes({ first: 0x09, payload: none })], 1002],
      ["a long ping", [frameBytes({ first: 0x89, payload: Buffer.alloc(126) })], 1002],
      [
        "a close code that no one may send",
        [frameBytes({ first: 0x88, payload: Buffer.from([3, 237]) })],
        1002,
      ],
      ["half a close code", [frameBytes({ first: 0x88, payload: Buffer.from([3]) })], 1002],
      ["text that is no UTF-8", [frameBytes({ first: text, payload: Buffer.from([0xc3, 0x28]) })], 1007],
      [
        "a reason that is no UTF-8",
        [frameBytes({ first: 0x88, payload: Buffer.from([3, 232, 0xff]) })],
        1007,
      ],
      ["a message over the limit", [frameBytes({ first: text, payload: none, claimed: big })], 1009],
      [
        "parts over the limit",
        Array.from({ length: 11 }, (_, index) =>
          frameBytes({ first: index === 0 ? 0x01 : 0x00, payload: Buffer.alloc(100_000, "x") }),
        ),
        1009,
      ],
      // The protocol of GraphQL has a code of its own where RFC 6455 would have 1003.
      ["bytes", [frameBytes({ first: 0x82, payload: json({ type: "connection_init" }) })], 4400],
      ["an array", [frameBytes({ first: text, payload: json([]) })], 4400],
      ["null", [frameBytes({ first: text, payload: json(null) })], 4400],
      ["an unknown type", [frameBytes({ first: text, payload: json({ type: "start" }) })], 4400],
      ["a type of servers", [frameBytes({ first: text, payload: json({ type: "next", id: "1" }) })], 4400],
    ]
    const codes = await Promise.all(cases.map(([, bytes]) => closeCodeAfter(server.url, bytes)))
    assert.deepEqual(
      cases.map(([name], index) => [name, codes[index]]),
      cases.map(([name, , code]) => [name, code]),
    )
    await write()
    await until(() => other.changes.length === 1)
    other.cut()
    assert.deepEqual(server.observed, [])
  })

  test("of 10,000 subscriptions of a client a thousand are kept, and others are served", async () => {
    const { server, write } = await open()
    const sockets = await Promise.all(Array.from({ length: 100 }, () => acknowledged(server, "role:staff")))
    const all = () => sockets.flatMap(({ messages }) => messages)
    const nexts = () => all().filter(({ type }) => type === "next").length
    for (const [index, { socket }] of sockets.entries())
      for (let number = 0; number < 100; number += 1) socket.send(subscribe(`${index}-${number}`))
    const codes = () =>
      all().flatMap(({ payload }) => payload?.map?.(({ extensions }) => extensions.code) ?? [])
    // As long as more of them come, however long a busy machine takes for all.
    for (let seen = -1; seen < 9_000; seen = codes().length) {
      const before = seen
      await until(() => codes().length > before)
    }
    // So many at once are refused as too much work, or waited too long; a few at a time the count is what refuses them.
    const more = (): void => {
      for (const [index, { socket }] of sockets.entries())
        if (Math.random() < 0.2) socket.send(subscribe(`more-${index}-${Math.random()}`))
    }
    const isFull = (): boolean =>
      all().some(({ payload }) => payload?.[0]?.message?.startsWith("1000 streams and subscriptions"))
    await until(() => {
      if (!isFull()) more()
      return isFull()
    })
    assert.deepEqual(
      codes().filter((code) => !["overloaded", "deadline_exceeded", "rate_limited"].includes(code)),
      [],
    )
    // Where one of them ends for another reason, the next takes its place.
    await until(async () => {
      const stream = await openStream(`${server.url}/events/stream`, staff)
      stream.cut()
      if (stream.status !== 429) more()
      return stream.status === 429
    })
    const other = openSubscription(server.url, "signedIn", "pageChanges", {})
    await other.begun
    assert.equal(
      (await server.send("POST", "/pages", staff, { slug: "a", text: "x", open: true })).status,
      201,
    )
    await until(() => other.changes.length === 1)
    await write()
    await until(() => nexts() >= 900)
    assert.ok(nexts() <= 1_000, `${nexts()}`)
    // An ended one makes room.
    const kept = sockets.find(({ messages }) => messages.some(({ type }) => type === "next"))
    kept?.socket.terminate()
    await until(async () => {
      const again = await openStream(`${server.url}/events/stream`, staff)
      again.cut()
      return again.status === 200
    })
    for (const { socket } of sockets) socket.terminate()
    other.cut()
    assert.deepEqual(server.observed, [])
  })

  test("a connection has a hundred operations at a time, and may repeat one that has ended", async () => {
    const { server } = await open()
    const { socket, messages } = await acknowledged(server, staff)
    for (let number = 0; number <= 100; number += 1) socket.send(subscribe(String(number)))
    await until(() => messages.some(({ type }) => type === "error"))
    assert.deepEqual(
      messages.filter(({ type }) => type === "error").map(({ id }) => id),
      ["100"],
    )
    socket.send(JSON.stringify({ id: "7", type: "complete" }))
    socket.send(subscribe("again", "{ notes { totalCount } }"))
    await until(() => messages.some(({ id, type }) => id === "again" && type === "complete"))
    socket.terminate()
  })

  test("who does not say who it is within seconds is let go", async () => {
    const { server } = await open()
    assert.equal(await closeCodeAfter(server.url, []), 4408)
  })

  test("pages of origins that are not allowed open no socket, however they spell it", async () => {
    const url = await openDatabase(hooks, "sqlite")
    const server = await openServer(hooks, url)
    const sharing = await openServer(hooks, url, undefined, {}, { cors: ["https://shop.example"] })
    const opens = async ({ url: base }: FeedServer, origin: string): Promise<boolean> => {
      const socket = new WebSocket(`${base.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
        origin,
      })
      const opened = await once(socket, "open").then(
        () => true,
        (error: unknown) => {
          assert.match(String(error), /403/)
          return false
        },
      )
      socket.terminate()
      return opened
    }
    const { host, port } = new URL(server.url)
    const foreign = [
      "https://shop.example",
      "null",
      `http://${host}.other.example`,
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://other.example/${host}`,
      `http://other.example@${host}.example`,
      "file://",
    ]
    for (const origin of foreign) assert.equal(await opens(server, origin), false, origin)
    assert.equal(await opens(server, `http://${host}`), true)
    assert.equal(await opens(sharing, "https://shop.example"), true)
    assert.equal(await opens(sharing, "https://shop.example.other.example"), false)
    assert.equal(await opens(sharing, "http://shop.example"), false)
  })
})

for (const database of dialects)
  describe(`what may not be followed, ${database}`, () => {
    const hooks = cleanUp(after)

    test("forged and foreign cursors, fields out of sight, bodies over the limit, and what is too old", async () => {
      const url = await openDatabase(hooks, database)
      const server = await openServer(hooks, url)
      const { body: ann } = await server.send("POST", "/people", staff, { name: "A" })
      const { body: note } = await server.send("POST", "/notes", staff, { text: "0", ownerId: ann.id })
      const actor = `person:${ann.id}`
      const page = await server.send("GET", "/events?limit=1", actor)
      const { next } = page.body["page"] as { readonly next: string }
      const [own] = page.body["data"] as readonly { readonly id: string }[]
      const foreign = createEventIds("a secret of another service", notes.name)
      const other = createEventIds("a secret of the tests", "another service")
      const sealed = (await server.send("GET", "/people?limit=1", staff)).body["page"] as {
        readonly next: string
      }
      const first = { ...logStart, position: 1n }
      const forged = [
        "evt_",
        "evc_",
        "evt_AAAAAAAAAAAAAAAAAAAAAA",
        `${own?.id}A`,
        `evc_${"A".repeat(48)}`,
        `evt_${next.slice(4)}`,
        foreign.idOf(first),
        foreign.cursorOf(first),
        other.idOf(first),
        other.cursorOf(first),
        String(sealed.next),
      ]
      const query = `query ($after: String) { events(after: $after) { nodes { id } } }`
      for (const after of forged) {
        const encoded = encodeURIComponent(after)
        const stream = await openStream(`${server.url}/events/stream?after=${encoded}`, actor)
        assert.equal(stream.status, 400, after)
        const resumed = await openStream(`${server.url}/events/stream`, actor, { "last-event-id": after })
        assert.equal(resumed.status, 400, after)
        const asked = await server.send("GET", `/events?after=${encoded}`, actor)
        assert.deepEqual([asked.status, asked.body["code"]], [400, "invalid_cursor"], after)
        const { body } = await server.send("POST", "/graphql", actor, { query, variables: { after } })
        assert.match(JSON.stringify(body["errors"]), /invalid_cursor/, after)
      }
      // A cursor is a place in the log, whatever was asked for where it comes from.
      const resumed = await openStream(`${server.url}/events/stream?resource=note&after=${next}`, staff)
      assert.equal(resumed.status, 200)
      for (const filter of ["filter[secret]=s", "filter[owner][name]=A&filter[secret][ne]=s"]) {
        const stream = await openStream(`${server.url}/events/stream?resource=note&${filter}`, actor)
        assert.equal(stream.status, 400, filter)
      }
      const hidden = await openStream(`${server.url}/events/stream?resource=person`, actor)
      assert.equal(hidden.status, 400)
      const large = { query: `subscription { noteChanges { recordId } } # ${"x".repeat(1_000_000)}` }
      const refused = await server.send("POST", "/graphql", actor, large)
      assert.equal(refused.status, 413)
      for (const text of ["1", "2"]) await server.send("PATCH", `/notes/${note.id}`, staff, { text })
      await resumed.until(2)
      resumed.cut()
      await server.forget()
      const { body } = await server.send("POST", "/graphql", actor, { query, variables: { after: next } })
      assert.match(JSON.stringify(body["errors"]), /events_expired/)
      // Another process: this one still has in memory what it has sent.
      const { socket, messages } = await acknowledged(await openServer(hooks, url), actor)
      socket.send(subscribe("1", `subscription { noteChanges(after: "${next}") { recordId } }`))
      await until(() => messages.some(({ type }) => type === "complete" || type === "error"))
      assert.match(JSON.stringify(messages), /events_expired/)
      socket.terminate()
      assert.deepEqual(server.observed, [])
    })
  })
