// Sockets that send more than their share: others are answered meanwhile, and a flood that goes on is cut off.
import assert from "node:assert/strict"
import { once } from "node:events"
import { describe, it, type TestContext } from "node:test"
import { WebSocket } from "ws"
import { frameBytes, text } from "../feed/raw-socket.ts"
import { openCounted } from "../limits/open.ts"
import { dial, type Library, openLibrary } from "./open.ts"

const message = (body: object): Buffer =>
  frameBytes({ first: text, payload: Buffer.from(JSON.stringify(body)) })
const init = message({ type: "connection_init" })
const ping = message({ type: "ping" })
const none = Buffer.alloc(0)

interface Flooding {
  send(bytes: Buffer): void
  /** Bytes of the server, behind those of the handshake. */
  readonly received: () => Buffer
  readonly isOpen: () => boolean
}

async function connect(test: TestContext, port: number): Promise<Flooding> {
  const socket = await dial(port)
  test.after(() => socket.destroy())
  socket.write(
    [
      "GET /graphql HTTP/1.1",
      "Host: localhost",
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Protocol: graphql-transport-ws",
      "\r\n",
    ].join("\r\n"),
  )
  await once(socket, "data")
  const parts: Buffer[] = []
  socket.on("data", (part) => void parts.push(part))
  return {
    send: (bytes) => void socket.write(bytes),
    received: () => Buffer.concat(parts),
    isOpen: () => !socket.closed,
  }
}

const repeated = (bytes: Buffer, times: number): Buffer =>
  Buffer.concat(Array.from({ length: times }, () => bytes))

const times = (within: Buffer, what: string): number => within.toString("latin1").split(what).length - 1

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** The code and the reason of a close, which is the last that the server sends. */
function closing({ received }: Flooding): readonly [code: number, reason: string] | undefined {
  const all = received()
  for (let at = all.indexOf(0x88); at >= 0; at = all.indexOf(0x88, at + 1)) {
    const length = all[at + 1] ?? 0
    if (length >= 2 && at + 2 + length === all.length)
      return [all.readUInt16BE(at + 2), all.toString("utf8", at + 4)]
  }
  return undefined
}

/** Sends the bytes again and again until the server closes the connection. */
async function floodUntilClosed(socket: Flooding, bytes: () => Buffer): Promise<readonly [number, string]> {
  while (!closing(socket)) {
    assert.ok(socket.isOpen(), "it is closed with a code")
    socket.send(bytes())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return closing(socket) ?? [0, ""]
}

let id = 0
const subscribed = (query: string) => {
  id += 1
  return [
    message({ id: String(id), type: "subscribe", payload: { query } }),
    message({ id: String(id), type: "complete" }),
  ]
}

/** Floods by their forms; each gives about so many frames. */
const floods: Readonly<Record<string, (count: number) => Buffer>> = {
  "pings of the protocol": (count) => repeated(ping, count),
  "pongs of the protocol": (count) => repeated(message({ type: "pong" }), count),
  "pings of RFC 6455": (count) => repeated(frameBytes({ first: 0x89, payload: none }), count),
  "pongs of RFC 6455": (count) => repeated(frameBytes({ first: 0x8a, payload: none }), count),
  "operations that end at once": (count) =>
    Buffer.concat(
      Array.from({ length: count / 2 }, () => subscribed("subscription { bookChanges { recordId } }")).flat(),
    ),
  queries: (count) =>
    Buffer.concat(
      Array.from({ length: count }, () =>
        subscribed("{ books(first: 1) { nodes { id } } }").slice(0, 1),
      ).flat(),
    ),
  "messages in parts": (count) =>
    repeated(
      Buffer.concat([
        frameBytes({ first: 0x01, payload: Buffer.from('{"type":') }),
        frameBytes({ first: 0x00, payload: none }),
        frameBytes({ first: 0x80, payload: Buffer.from('"ping"}') }),
      ]),
      count,
    ),
}

const get = (server: Library): Promise<number> =>
  fetch(`http://127.0.0.1:${server.port}/books/1`).then(async (answer) => {
    await answer.text()
    return answer.status
  })

describe("a flood of one socket", () => {
  for (const [name, bytes] of Object.entries(floods)) {
    it(`of ${name} lets others be answered, and is closed in the end`, { timeout: 60_000 }, async (test) => {
      const server = await openLibrary(test, {
        bodyLimit: 1_000_000,
        socketRates: { messages: 100 },
        deadlines: { socketBound: 1_000 },
      })
      const socket = await connect(test, server.port)
      socket.send(init)
      await until(() => times(socket.received(), "connection_ack") === 1)
      socket.send(bytes(2_000))
      // While most of it waits.
      assert.equal(await get(server), 200)
      assert.equal(closing(socket), undefined)
      assert.deepEqual(await floodUntilClosed(socket, () => bytes(20)), [
        4429,
        "More than 100 messages a second (--socket-messages)",
      ])
      assert.deepEqual(server.observed, [{ kind: "flooded", bound: "messages", count: 1 }])
      assert.equal(await get(server), 200)
    })
  }

  it("of bytes is closed, too", { timeout: 60_000 }, async (test) => {
    const server = await openLibrary(test, {
      bodyLimit: 1_000_000,
      socketRates: { bytes: 10_000 },
      deadlines: { socketBound: 200 },
    })
    const socket = await connect(test, server.port)
    const long = message({ type: "ping", payload: { text: "x".repeat(5_000) } })
    socket.send(init)
    assert.deepEqual(await floodUntilClosed(socket, () => long), [
      4429,
      "More than 10,000 bytes a second (--socket-bytes)",
    ])
    assert.deepEqual(server.observed, [{ kind: "flooded", bound: "bytes", count: 1 }])
  })

  it("that ends is answered to the last message", { timeout: 60_000 }, async (test) => {
    const server = await openLibrary(test, { socketRates: { messages: 1_000 } })
    const socket = await connect(test, server.port)
    socket.send(Buffer.concat([init, repeated(ping, 3_000)]))
    await until(() => times(socket.received(), '{"type":"pong"}') === 3_000)
    assert.deepEqual(server.observed, [])
  })

  it("is not read while its messages wait", { timeout: 60_000 }, async (test) => {
    // A message a second, and no end of the connection: slow machines take their time.
    const server = await openLibrary(test, {
      bodyLimit: 1_000_000,
      socketRates: { messages: 1 },
      deadlines: { socketBound: 600_000 },
    })
    const flooder = new WebSocket(`ws://127.0.0.1:${server.port}/graphql`, "graphql-transport-ws")
    test.after(() => flooder.terminate())
    await once(flooder, "open")
    flooder.send('{"type":"connection_init"}')
    // More than the buffers of two sockets hold.
    const long = JSON.stringify({ type: "ping", payload: { text: "x".repeat(100_000) } })
    for (let count = 0; count < 500; count += 1) flooder.send(long)
    await once(flooder, "message")
    assert.equal(await get(server), 200)
    assert.ok(flooder.bufferedAmount > 25_000_000, `${flooder.bufferedAmount} bytes wait with the client`)
    assert.deepEqual(server.observed, [])
  })

  it("has few operations under way, although it ends each", { timeout: 60_000 }, async (test) => {
    let under = 0
    const server = await openLibrary(test, {
      facesFor: () => ({
        graphql: async () => ({ status: 204, headers: {}, body: "" }),
        rest: async () => ({ status: 204, headers: {}, body: "" }),
        operate: () => {
          under += 1
          return new Promise(() => {})
        },
      }),
    })
    const socket = await connect(test, server.port)
    socket.send(init)
    await until(() => times(socket.received(), "connection_ack") === 1)
    socket.send(Buffer.concat(Array.from({ length: 300 }, () => subscribed("{ __typename }")).flat()))
    socket.send(ping)
    await until(() => times(socket.received(), '{"type":"pong"}') === 1)
    assert.equal(under, 100)
  })

  it("is closed when its caller's points are used up", { timeout: 60_000 }, async (test) => {
    const server = await openCounted(test, { tiers: { anonymous: { perMinute: 4 } } })
    const { port } = new URL(server.url)
    const socket = await connect(test, Number(port))
    socket.send(init)
    await until(() => times(socket.received(), "connection_ack") === 1)
    // The connection has cost one.
    socket.send(repeated(ping, 300))
    await until(() => times(socket.received(), '{"type":"pong"}') === 300)
    assert.equal(closing(socket), undefined)
    socket.send(repeated(ping, 200))
    await until(() => closing(socket) !== undefined)
    assert.deepEqual(closing(socket), [
      4429,
      "The points of this minute are used up, and messages go on (limit perMinute)",
    ])
    assert.deepEqual(server.observed, [{ kind: "flooded", bound: "points", count: 1 }])
    const next = await connect(test, Number(port))
    next.send(init)
    await until(() => closing(next) !== undefined)
    assert.equal(closing(next)?.[0], 1013)
  })

  it("of parts of one message is closed as RFC 6455 says", { timeout: 60_000 }, async (test) => {
    const server = await openLibrary(test)
    const socket = await connect(test, server.port)
    socket.send(frameBytes({ first: 0x01, payload: none }))
    socket.send(repeated(frameBytes({ first: 0x00, payload: none }), 1_001))
    await until(() => closing(socket) !== undefined)
    assert.equal(closing(socket)?.[0], 1008)
    const empty = await connect(test, server.port)
    empty.send(Buffer.concat([init, frameBytes({ first: text, payload: none })]))
    await until(() => closing(empty) !== undefined)
    assert.equal(closing(empty)?.[0], 4400)
  })
})
