// Requests that are answered before all of their bytes were read: the client gets its answer, and no reset, which would have
// the kernel throw away what the client has not read yet (RFC 9112 section 9.6).
import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import type { FaceRequest, FaceResponse } from "../../src/http/face.ts"
import { openLibrary } from "./open.ts"

interface Exchanged {
  readonly text: string
  /** Codes of what the connection failed with. */
  readonly faults: readonly (string | undefined)[]
}

/** More than is on its way between two processes of one machine. */
const length = 32 * 1024 * 1024
const block = Buffer.alloc(64 * 1024, "x")

const head = (lines: readonly string[]): string =>
  [
    "POST /authors/query HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    ...lines,
    "",
    "",
  ].join("\r\n")
/** Sends all of it, whatever comes back meanwhile, and only then ends its side. */
async function sendAll(port: number, head: string, bytes: number): Promise<Exchanged> {
  const socket = await dialed(port)
  const told = toldBy(socket)
  const gone = once(socket, "close").catch(() => {})
  socket.write(head)
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += block.length)
    if (!socket.write(block)) await Promise.race([once(socket, "drain").catch(() => {}), gone])
  socket.end()
  return told
}

/** More than the server's limit, and far less than 16 times as much. */
const beyond = "x".repeat(2 * 1024)

const withheld = [
  ["whose last chunk never comes", `${head(["Transfer-Encoding: chunked"])}800\r\n${beyond}\r\n`],
  ["in the middle of a chunk", `${head(["Transfer-Encoding: chunked"])}100000\r\n${beyond}`],
  ["that only announces itself", head(["Content-Length: 2048"])],
  ["that announces itself, half sent", `${head(["Content-Length: 4096"])}${beyond}`],
] as const

describe("a body beyond the limit is refused as soon as that is known", () => {
  for (const [name, sent] of withheld)
    it(name, { timeout: 60_000 }, async (test) => {
      const { port } = await openLibrary(test)
      const socket = await dialed(port)
      const told = toldBy(socket)
      socket.write(sent)
      // It has its answer while it still owes the rest.
      await once(socket, "end")
      socket.end()
      const { text, faults } = await told
      assert.match(text, /^HTTP\/1\.1 413 [\s\S]*"too_large"/)
      assert.deepEqual(faults, [])
    })

  for (const method of ["GET", "DELETE"])
    it(`and a ${method} that follows on its connection is not done`, { timeout: 60_000 }, async (test) => {
      const done: string[] = []
      const face = async ({ method, refused }: FaceRequest): Promise<FaceResponse> => {
        done.push(`${method} ${refused?.problems[0].code}`)
        return { status: 413, headers: {}, body: "" }
      }
      const { port, close } = await openLibrary(test, { facesFor: () => ({ graphql: face, rest: face }) })
      const socket = await dialed(port)
      const told = toldBy(socket)
      socket.write(withheld[3][1])
      await once(socket, "end")
      socket.end(`${beyond}${method} /authors/1 HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      assert.deepEqual((await told).faults, [])
      // The server has read all of it when the connection has ended for it too.
      await close()
      assert.deepEqual(done, ["POST too_large"])
    })
})

async function dialed(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  await once(socket, "connect")
  return socket
}

function toldBy(socket: Socket): Promise<Exchanged> {
  const chunks: Buffer[] = []
  const faults: (string | undefined)[] = []
  socket.on("data", (chunk) => chunks.push(chunk))
  socket.on("error", ({ code }: NodeJS.ErrnoException) => faults.push(code))
  return new Promise((resolve) =>
    socket.once("close", () => resolve({ text: Buffer.concat(chunks).toString(), faults })),
  )
}

const announced = head([`Content-Length: ${length}`])

const early: readonly (readonly [name: string, head: string, status: number])[] = [
  ["a body that announces itself as far too large", announced, 413],
  ["one that turns out to be", `${head(["Transfer-Encoding: chunked"])}${length.toString(16)}\r\n`, 413],
  ["an expectation that nobody has", head([`Content-Length: ${length}`, "Expect: wonders"]), 417],
  ["headers that are too large", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ", 431],
  ["bytes that are not HTTP", "WONDERS\r\n\r\n", 400],
]

describe("an answer before the request's end is not lost to a reset", () => {
  for (const [name, sent, status] of early) {
    it(`after ${name}`, { timeout: 60_000 }, async (test) => {
      const { port } = await openLibrary(test)
      const { text, faults } = await sendAll(port, sent, length)
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.deepEqual(faults, [])
    })

    it(`after ${name}, while the server closes`, { timeout: 60_000 }, async (test) => {
      const { port, close } = await openLibrary(test)
      const socket = await dialed(port)
      const told = toldBy(socket)
      const closed = close()
      socket.write(sent)
      for (let written = 0; written < length && !socket.destroyed; written += block.length)
        socket.write(block)
      socket.end()
      const { text, faults } = await told
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.deepEqual(faults, [])
      await closed
    })
  }

  it("nor is one to a request whose body is half sent when the server closes", {
    timeout: 60_000,
  }, async (test) => {
    const { port, close } = await openLibrary(test)
    const body = JSON.stringify({ query: "{ author(id: 1) { name } }" })
    const socket = await dialed(port)
    const told = toldBy(socket)
    socket.write(
      head([`Content-Length: ${body.length}`]).replace("/authors/query", "/graphql") + body.slice(0, 9),
    )
    const closed = close()
    while (await isTaken(port)) await sleep(20)
    socket.end(body.slice(9))
    const { text, faults } = await told
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*\{"data":\{"author":\{"name":"Ada"\}\}\}$/)
    assert.deepEqual(faults, [])
    await closed
  })
})

it("a server closes while connections arrive without a pause", { timeout: 60_000 }, async (test) => {
  const { port, close } = await openLibrary(test)
  const closed = close()
  while (await isTaken(port)) await new Promise(setImmediate)
  await closed
})

/** Whether somebody listens. */
async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1")
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
