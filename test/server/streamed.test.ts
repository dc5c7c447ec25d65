// Bodies that are made while they are sent: long lists as CSV and NDJSON, and what a slow, a leaving and a cut client sees.
import assert from "node:assert/strict"
import { once } from "node:events"
import { describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import type { FaceResponse } from "../../src/http/face.ts"
import type { ServerOptions } from "../../src/server/server.ts"
import { type Hooks, temporaryPostgres } from "../support/database.ts"
import { dial, openLibrary, received } from "./open.ts"

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** Longer together than an answer that is sent as a whole. */
const names = Array.from({ length: 90 }, (_, index) => `${index} ${"ä".repeat(1_000)}`)

const authors = ["Ada", "Zoë", ...names].map((name, index) => ({ id: `author_${index + 1}`, name }))

async function openLong(test: Hooks, database: string | undefined): Promise<string> {
  const { url } = await openLibrary(test, { bodyLimit: 1024 * 1024 }, database, { writes: "unsafe" })
  const body = JSON.stringify(names.map((name) => ({ name })))
  const headers = { "content-type": "application/json" }
  const made = await fetch(`${url}/authors`, { method: "POST", headers, body })
  assert.equal(made.status, 201, await made.text())
  return `${url}/authors?limit=100&sort=id&fields=name`
}

describe("a long list", () => {
  for (const [type, expected] of [
    ["text/csv", ["id,name", ...authors.map(({ id, name }) => `${id},${name}`), ""].join("\r\n")],
    ["application/x-ndjson", [...authors.map((author) => JSON.stringify(author)), ""].join("\n")],
  ] as const)
    for (const database of ["SQLite", "PostgreSQL"])
      it(`is streamed as ${type} from ${database}`, async (test) => {
        const address = await openLong(
          test,
          database === "SQLite" ? undefined : await temporaryPostgres(test),
        )
        const list = await fetch(address, { headers: { accept: type } })
        assert.equal(await list.text(), expected)
        assert.deepEqual(
          [list.headers.get("transfer-encoding"), list.headers.get("content-length")],
          ["chunked", null],
        )
        const head = await fetch(address, { method: "HEAD", headers: { accept: type } })
        assert.deepEqual(
          [head.status, head.headers.get("etag"), head.headers.get("content-length")],
          [200, list.headers.get("etag"), null],
        )
        const kept = { accept: type, "if-none-match": list.headers.get("etag") ?? "" }
        assert.equal((await fetch(address, { headers: kept })).status, 304)
        const short = await fetch(address.replace("limit=100", "limit=2"), { headers: { accept: type } })
        assert.equal(short.headers.get("content-length"), String(Buffer.byteLength(await short.text())))
      })
})

interface Made {
  readonly pieces: number
  readonly ended: boolean
}

/** A server whose every answer is the stream, and what has been made of it. */
async function openStream(
  test: Hooks,
  pieces: () => AsyncIterable<string>,
  options: Partial<ServerOptions> = {},
) {
  const made = { pieces: 0, ended: false }
  async function* body(): AsyncGenerator<string> {
    try {
      for await (const piece of pieces()) {
        made.pieces += 1
        yield piece
      }
    } finally {
      made.ended = true
    }
  }
  const face = async (): Promise<FaceResponse> => ({ status: 200, headers: {}, body: body() })
  const server = await openLibrary(test, { facesFor: () => ({ graphql: face, rest: face }), ...options })
  return { server, made }
}

const block = "x".repeat(64 * 1024)

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield block
    await sleep(0)
  }
}

/** Resolves when no piece was made for a second, or more were than any connection holds. */
async function stalled(made: Made): Promise<void> {
  for (let before = -1; made.pieces !== before && made.pieces < 2_000; ) {
    before = made.pieces
    await sleep(1_000)
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10)
}

describe("a stream", () => {
  it("is made as fast as its client reads, and ends when the client leaves", async (test) => {
    const { server, made } = await openStream(test, endless)
    const socket = await dial(server.port)
    socket.pause()
    socket.write(get("/x"))
    await until(() => made.pieces > 0)
    await stalled(made)
    assert.ok(made.pieces < 1_000, `${made.pieces} pieces of 64 kB were made for a client that reads none`)
    assert.equal(made.ended, false)
    const before = made.pieces
    socket.resume()
    await until(() => made.pieces > before + 50)
    socket.destroy()
    await until(() => made.ended)
    assert.deepEqual(server.observed, [])
  })

  it("is cut when its client takes nothing of it", async (test) => {
    const { server, made } = await openStream(test, endless, { deadlines: { untaken: 500 } })
    const socket = await dial(server.port)
    socket.pause()
    socket.write(get("/x"))
    await until(() => made.ended)
    socket.destroy()
  })

  it("leaves its connection to the next request", async (test) => {
    const { server } = await openStream(test, async function* () {
      yield "one"
      yield "two"
    })
    const socket = await dial(server.port)
    socket.write(get("/x"))
    await once(socket, "data")
    socket.write(get("/y").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
    const text = await received(socket)
    assert.match(text, /Connection: close/i)
    assert.match(text, /3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n$/)
  })

  it("is sent to its end by a server that closes meanwhile", { timeout: 60_000 }, async (test) => {
    const gate = Promise.withResolvers<void>()
    const { server } = await openStream(
      test,
      async function* () {
        yield "one"
        await gate.promise
        yield "two"
      },
      { deadlines: { drain: 120_000 } },
    )
    const socket = await dial(server.port)
    socket.write(get("/x"))
    await once(socket, "data")
    const closed = server.close()
    const text = received(socket)
    await sleep(100)
    gate.resolve()
    assert.match(await text, /3\r\ntwo\r\n0\r\n\r\n$/)
    await closed
    assert.deepEqual(server.observed, [])
  })

  it("that fails is not ended as if it were whole, and the fault is told", async (test) => {
    const fault = new Error("the piece cannot be made")
    const { server } = await openStream(test, async function* () {
      yield "one"
      throw fault
    })
    const socket = await dial(server.port)
    socket.write(get("/x"))
    assert.doesNotMatch(await received(socket), /0\r\n\r\n$/)
    const [observed] = server.observed
    assert.equal(observed?.kind === "failed" && observed.error, fault)
    assert.equal((await fetch(`${server.url}/health`)).status, 200)
  })
})
