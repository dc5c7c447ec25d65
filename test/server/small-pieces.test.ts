// Bodies in small pieces: each costs as much work and memory as a large one, so that their number has a bound, in HTTP/1.1 and HTTP/2.
import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { PassThrough } from "node:stream"
import { test } from "node:test"
import { readAhead } from "../../src/server/incoming.ts"
import { data, headers, opening } from "./frames.ts"
import { dial, openLibrary } from "./open.ts"

const most = 4_096
const limit = 1_048_576
const head =
  "POST /books/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const question = '{"filter":{"title":{"eq":"Two"}}}'

/** What the server sends until it has answered, or has ended the connection. */
async function answerTo(port: number, parts: readonly string[]): Promise<string> {
  const socket = await dial(port)
  let text = ""
  const answered = Promise.withResolvers<void>()
  socket.on("error", () => {})
  socket.on("close", answered.resolve)
  socket.on("data", (bytes: Buffer) => {
    text += String(bytes)
    if (text.includes("\r\n\r\n")) answered.resolve()
  })
  for (const part of parts) socket.write(part)
  await answered.promise
  socket.destroy()
  return text
}

test("a body in as many small pieces as it may have is taken", async (t) => {
  const { port } = await openLibrary(t, { bodyLimit: limit })
  const spaces = chunk(" ").repeat(most - question.length)
  const text = await answerTo(port, [head, spaces, ...Array.from(question, chunk), "0\r\n\r\n"])
  assert.match(text, /^HTTP\/1\.1 200 .*"Two"/s)
})

test("large pieces are not counted, and a body is what its pieces are", async (t) => {
  const { port } = await openLibrary(t, { bodyLimit: 8 * limit })
  const padding = chunk(" ".repeat(256)).repeat(2 * most + 1)
  const text = await answerTo(port, [head, padding, ...Array.from(question, chunk), padding, "0\r\n\r\n"])
  assert.match(text, /^HTTP\/1\.1 200 .*"Two"/s)
})

test("one piece more is 413", async (t) => {
  const { port, observed } = await openLibrary(t, { bodyLimit: limit })
  const text = await answerTo(port, [head, chunk(" ").repeat(most + 1)])
  assert.match(text, /^HTTP\/1\.1 413 /)
  assert.deepEqual(observed, [])
})

test("a connection that goes on with small pieces is ended", { timeout: 30_000 }, async (t) => {
  const { port, url } = await openLibrary(t, { bodyLimit: limit })
  // It does not end its side when the server does.
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  socket.on("error", () => {}).resume()
  const closed = new Promise((resolve) => socket.once("close", resolve))
  const portion = chunk(" ").repeat(1_000)
  const go = (): void => {
    if (!socket.destroyed) socket.write(portion, () => setTimeout(go, 1))
  }
  socket.write(head, go)
  const began = performance.now()
  await closed
  assert.ok(performance.now() - began < 10_000, "before the deadline of a request")
  assert.equal((await fetch(`${url}/books/1`)).status, 200)
})

test("a stream of HTTP/2 that goes on with small pieces is ended", { timeout: 30_000 }, async (t) => {
  const { port } = await openLibrary(t, { bodyLimit: limit, h2c: true })
  const socket = await dial(port)
  t.after(() => socket.destroy())
  const fields = {
    ":method": "POST",
    ":path": "/books",
    ":scheme": "http",
    ":authority": "localhost",
    "content-type": "application/json",
  }
  socket.write(Buffer.concat([opening, headers(1, fields)]))
  const pieces = Buffer.concat(Array.from({ length: 2 * most + 1 }, () => data(1, " ")))
  socket.write(pieces)
  let got = Buffer.alloc(0)
  // RST_STREAM of stream 1.
  const reset = (): boolean => {
    for (let at = 0; at + 9 <= got.length; at += 9 + got.readUIntBE(at, 3))
      if (got[at + 3] === 3 && got.readUInt32BE(at + 5) === 1) return true
    return false
  }
  for await (const bytes of socket) {
    got = Buffer.concat([got, bytes as Buffer])
    if (reset()) return
  }
  assert.fail("the connection ended before its stream")
})

test("pieces that come before the turn of their request are not kept one by one", async () => {
  const message = new PassThrough({ highWaterMark: limit })
  const arriving = { message, headers: {} }
  const read = readAhead(arriving, limit)
  for (const letter of question) message.write(letter)
  await new Promise(setImmediate)
  assert.equal(message.readableLength, 0)
  message.end()
  await once(message, "close")
  assert.equal(String((await read())?.bytes), question)
})

test("a long body waits for the turn of its request", async () => {
  const message = new PassThrough({ highWaterMark: 1_024 })
  const read = readAhead({ message, headers: {} }, limit)
  const sent = 200_000
  for (let count = 0; count < sent / 1_000; count += 1) message.write(Buffer.alloc(1_000))
  await new Promise(setImmediate)
  assert.ok(message.isPaused())
  message.end()
  assert.equal((await read())?.bytes.length, sent)
})
