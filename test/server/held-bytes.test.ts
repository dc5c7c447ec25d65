// Answers that slow clients do not take: the process keeps so many bytes of them, and a client that takes hardly anything is cut.
import assert from "node:assert/strict"
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2"
import type { Socket } from "node:net"
import { type TestContext, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import type { FaceResponse } from "../../src/http/face.ts"
import { headers, opening, window } from "./frames.ts"
import { dial, openLibrary } from "./open.ts"

const size = 1_048_576
const answer: FaceResponse = { status: 200, headers: {}, body: "x".repeat(size) }
const face = async (): Promise<FaceResponse> => answer
const deadlines = { drain: 100 }
const faces = { deadlines, facesFor: () => ({ graphql: face, rest: face }) }
/** More than the kernels of both sides take of a connection. */
const long: FaceResponse = { status: 200, headers: {}, body: "x".repeat(24 * size) }
const longFace = async (): Promise<FaceResponse> => long
const longFaces = { deadlines, facesFor: () => ({ graphql: longFace, rest: longFace }) }

function http2(t: TestContext, url: string): ClientHttp2Session {
  const session = connectHttp2(url, { settings: { initialWindowSize: 0 } })
  session.on("error", () => {})
  t.after(() => session.destroy())
  return session
}

function ask(session: ClientHttp2Session): void {
  session.request({ ":path": "/books" }).on("error", () => {})
}

/** Also by a reset, for which `once` would reject. */
const closed = (one: ClientHttp2Session | Socket): Promise<void> =>
  new Promise((resolve) => void one.once("close", () => resolve()))

async function cutWithin(closing: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return Promise.race([closing.then(() => true), sleep(milliseconds, false, { ref: false })])
}

test("the connection of HTTP/2 that leaves most of its answers is cut when they are too many", async (t) => {
  const { url, port } = await openLibrary(t, { ...faces, h2c: true, mostHeld: 4 * size })
  const few = http2(t, url)
  const many = http2(t, url)
  const gone = closed(many)
  ask(few)
  for (let count = 0; count < 4; count += 1) ask(many)
  assert.ok(await cutWithin(gone, 10_000), "it is cut")
  assert.equal(few.destroyed, false)
  assert.equal((await (await fetch(`http://127.0.0.1:${port}/books`)).text()).length, size)
})

test("answers below the bound are kept", async (t) => {
  const { url } = await openLibrary(t, { ...faces, h2c: true, mostHeld: 8 * size })
  const session = http2(t, url)
  const gone = closed(session)
  for (let count = 0; count < 4; count += 1) ask(session)
  assert.equal(await cutWithin(gone, 1_500), false)
})

async function stalled(t: TestContext, port: number): Promise<Socket> {
  const socket = await dial(port)
  t.after(() => socket.destroy())
  socket.write("GET /books HTTP/1.1\r\nHost: localhost\r\n\r\n")
  return socket
}

/** Whether all of the answer comes. */
async function isWhole(socket: Socket): Promise<boolean> {
  let got = 0
  socket.on("data", (bytes: Buffer) => {
    got += bytes.length
    if (got > 24 * size) socket.destroy()
  })
  await closed(socket)
  return got > 24 * size
}

test("connections of HTTP/1.1 share the bound, and an answer alone may be longer", async (t) => {
  const { port } = await openLibrary(t, { ...longFaces, mostHeld: size })
  const alone = await stalled(t, port)
  await sleep(300)
  assert.ok(await isWhole(alone))
  const both = [await stalled(t, port), await stalled(t, port)]
  await sleep(300)
  const whole = await Promise.all(both.map(isWhole))
  assert.deepEqual(whole.toSorted(), [false, true])
})

test("a client that drips is cut, and one that takes more is not", async (t) => {
  const { port } = await openLibrary(t, { ...faces, h2c: true, deadlines: { ...deadlines, untaken: 2_000 } })
  const began = performance.now()
  const [dripping, taking] = [await dripped(t, port, 1), await dripped(t, port, 4_096)]
  assert.ok(await cutWithin(closed(dripping), 15_000), "it is cut")
  assert.ok(performance.now() - began > 2_000)
  assert.equal(taking.destroyed, false)
})

/** Lets the server send so many bytes of an answer five times a second. */
async function dripped(t: TestContext, port: number, bytes: number): Promise<Socket> {
  const socket = await dial(port)
  socket.resume()
  const fields = { ":method": "GET", ":path": "/books", ":scheme": "http", ":authority": "localhost" }
  socket.write(Buffer.concat([opening, headers(1, fields, true)]))
  const more = Buffer.concat([window(0, bytes), window(1, bytes)])
  const timer = setInterval(() => socket.destroyed || socket.write(more), 200)
  t.after(() => {
    clearInterval(timer)
    socket.destroy()
  })
  return socket
}

const bodies = { deadlines, bodyLimit: size, mostHeld: 4 * size }
/** Of a body that never comes whole. */
const almost = Buffer.alloc(size - 1, " ")
const post = (length: number): string =>
  `POST /books/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** Sends most of a body, and gives what comes back of it. */
async function begun(t: TestContext, port: number): Promise<{ readonly text: () => string }> {
  const socket = await dial(port)
  t.after(() => socket.destroy())
  let text = ""
  socket.on("data", (bytes: Buffer) => {
    text += String(bytes)
  })
  socket.write(post(size))
  await new Promise<void>((resolve) => socket.write(almost, () => resolve()))
  return { text: () => text }
}

test("bodies that are not whole share a bound: the one that waits for longest is 503", async (t) => {
  const { port } = await openLibrary(t, bodies)
  const first: (() => string)[] = []
  for (let count = 0; count < 6; count += 1) {
    first.push((await begun(t, port)).text)
    await sleep(100)
  }
  const refused = first.filter((text) => text() !== "")
  assert.ok(refused.length >= 2 && refused.length < 6, `${refused.length} are refused`)
  for (const text of refused)
    assert.match(text(), /^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*"overloaded"/i)
  assert.match(first[0]?.() ?? "", /^HTTP\/1\.1 503 /)
  const question = '{"filter":{"title":{"eq":"Two"}}}'
  const padded = question + " ".repeat(size - question.length)
  const answered = await fetch(`http://127.0.0.1:${port}/books/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: padded,
  })
  assert.match(await answered.text(), /"Two"/)
})

test("bodies below the bound are waited for", async (t) => {
  const { port } = await openLibrary(t, bodies)
  const first: (() => string)[] = []
  for (let count = 0; count < 3; count += 1) first.push((await begun(t, port)).text)
  await sleep(300)
  assert.deepEqual(
    first.map((text) => text()),
    ["", "", ""],
  )
})

test("bodies of HTTP/2 share the bound", async (t) => {
  const { url } = await openLibrary(t, { ...bodies, h2c: true })
  const session = connectHttp2(url)
  session.on("error", () => {})
  t.after(() => session.destroy())
  const statuses: unknown[] = []
  for (let count = 0; count < 6; count += 1) {
    const stream = session.request({
      ":method": "POST",
      ":path": "/books/query",
      "content-type": "application/json",
    })
    stream.on("error", () => {})
    stream.on("response", (got) => statuses.push(got[":status"]))
    stream.resume()
    stream.write(almost)
  }
  await sleep(1_500)
  assert.ok(statuses.length >= 2 && statuses.length < 6, `${statuses.length} are refused`)
  assert.deepEqual(new Set(statuses), new Set([503]))
})
