// A client that sends requests without waiting for answers, or does not take them: how much is done and kept for it.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { describe, it, type TestContext } from "node:test"
import { createPipelining, cutUntaken } from "../../src/server/exchange/answer-messages.ts"
import { dial, openLibrary, received } from "./open.ts"

interface Begun {
  readonly request: IncomingMessage
  readonly to: ServerResponse
  answer(body?: string | Buffer): void
}

interface Watched {
  readonly port: number
  /** Requests that have arrived. */
  readonly arrived: () => number
  /** Those that may be looked at, in the order in which they were begun. */
  readonly begun: readonly Begun[]
  /** The most that have arrived and not been begun. */
  readonly most: () => number
  readonly sockets: readonly Socket[]
}

/** A server whose requests take their turns, and are answered when the test says so. */
async function openTurns(test: TestContext, each: (begun: Begun) => void = () => {}): Promise<Watched> {
  const turns = createPipelining()
  const begun: Begun[] = []
  const sockets: Socket[] = []
  let arrived = 0
  let most = 0
  const take = async (request: IncomingMessage, to: ServerResponse): Promise<void> => {
    arrived += 1
    const turn = turns.wait(request, to)
    most = Math.max(most, arrived - begun.length)
    if (turn) await turn
    request.resume()
    const answer = (body: string | Buffer = request.url ?? ""): void => {
      to.end(body)
      turns.end(request)
    }
    const one = { request, to, answer }
    begun.push(one)
    each(one)
  }
  const server = createServer(take)
  server.on("connection", (socket) => sockets.push(socket))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  test.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { port, arrived: () => arrived, begun, most: () => most, sockets }
}

const gets = (count: number, more = ""): string =>
  Array.from(
    { length: count },
    (_, index) => `GET /${index} HTTP/1.1\r\nHost: localhost\r\n${index === count - 1 ? more : ""}\r\n`,
  ).join("")

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const urls = (begun: readonly Begun[]): readonly string[] => begun.map(({ request }) => request.url ?? "")
const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `/${index}`)

describe("requests of one connection", () => {
  it("are done at most 8 at a time, and in their order", { timeout: 20_000 }, async (test) => {
    const { port, arrived, begun } = await openTurns(test)
    const socket = await dial(port)
    socket.resume()
    socket.write(gets(100))
    await until(() => arrived() === 100)
    assert.deepEqual(urls(begun), numbers(8))
    for (const later of begun.slice(1, 8)) later.answer()
    await new Promise(setImmediate)
    assert.equal(begun.length, 8, "answers that wait for the first are still kept")
    for (let next = 0; next < 100; next += 1) {
      await until(() => begun.length > next)
      if (!begun[next]?.to.writableEnded) begun[next]?.answer()
      assert.ok(begun.filter(({ to }) => !to.writableFinished).length <= 8)
    }
    assert.deepEqual(urls(begun), numbers(100))
  })

  it("are not begun while much of earlier answers is not taken", { timeout: 20_000 }, async (test) => {
    const { port, arrived, begun, sockets } = await openTurns(test)
    const socket = await dial(port)
    socket.pause()
    socket.write(gets(1))
    await until(() => begun.length === 1)
    begun[0]?.answer(Buffer.alloc(64 * 1024 * 1024))
    socket.write(gets(3))
    await until(() => arrived() > 1)
    assert.ok((sockets[0]?.writableLength ?? 0) > 1024 * 1024)
    assert.equal(begun.length, 1)
    socket.resume()
    await until(() => begun.length === 4)
  })

  it("are not begun while much waits behind an answer that is not ready", {
    timeout: 20_000,
  }, async (test) => {
    const { port, arrived, begun } = await openTurns(test)
    const socket = await dial(port)
    socket.resume()
    socket.write(gets(2))
    await until(() => begun.length === 2)
    begun[1]?.answer(Buffer.alloc(2 * 1024 * 1024))
    socket.write(gets(2))
    await until(() => arrived() > 2)
    assert.equal(begun.length, 2)
    begun[0]?.answer()
    await until(() => begun.length === 4)
  })

  it("are left unread while many wait", { timeout: 20_000 }, async (test) => {
    const count = 50_000
    const { port, arrived, begun, most, sockets } = await openTurns(test, ({ request, answer }) => {
      if (request.url !== "/0") answer()
    })
    const socket = await dial(port)
    socket.resume()
    socket.write(gets(count, "Connection: close\r\n"))
    await until(() => sockets[0]?.isPaused() === true)
    begun[0]?.answer()
    await once(socket, "close")
    assert.equal(arrived(), count)
    assert.deepEqual(urls(begun), numbers(count))
    // What the socket reads at once, of 34 bytes or more each.
    assert.ok(most() < 2 * (65_536 / 34), `${most()}`)
  })
})

describe("a connection of several callers", () => {
  // Requests take turns by their callers, and probes none: they come to their answers in another order than they arrived in.
  for (const [what, paths, tokens] of [
    ["and of probes", ["/books", "/health"], [undefined]],
    ["with credentials in turn", ["/books"], ["one", "two", undefined]],
  ] as const)
    it(`${what} gets all answers in its order`, { timeout: 60_000 }, async (test) => {
      const { port } = await openLibrary(test)
      const count = 120
      const request = (index: number): string => {
        const token = tokens[index % tokens.length]
        const last = index === count - 1 ? "Connection: close\r\n" : ""
        const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`
        return `GET ${paths[index % paths.length]} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: request-${index}\r\n${authorization}${last}\r\n`
      }
      const all = Array.from({ length: count }, (_, index) => request(index)).join("")
      const answers = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const socket = await dial(port)
          socket.write(all)
          return received(socket)
        }),
      )
      for (const answer of answers)
        assert.deepEqual(
          [...answer.matchAll(/x-request-id: request-(\d+)/gi)].map(([, index]) => Number(index)),
          Array.from({ length: count }, (_, index) => index),
        )
    })
})

describe("a client that does not take its answer", () => {
  const large = Buffer.alloc(64 * 1024 * 1024, "x")
  const face = async () => ({ status: 200, headers: {}, body: large.toString("latin1") })

  it("is cut after a while", { timeout: 20_000 }, async (test) => {
    for (const count of [1, 3]) {
      let asked = 0
      const asking = async () => {
        asked += 1
        return face()
      }
      const { port, close, observed } = await openLibrary(test, {
        facesFor: () => ({ graphql: asking, rest: asking }),
        deadlines: { untaken: 200, drain: 15_000 },
      })
      const socket = await dial(port)
      socket.pause()
      socket.write(gets(count))
      await until(() => asked > 0)
      await close()
      assert.deepEqual(observed, [], "it did not take until the server cuts what is left")
      socket.destroy()
    }
  })

  it("gets all of it from a server that closes, if it takes it in time", {
    timeout: 60_000,
  }, async (test) => {
    let asked = 0
    const asking = async () => {
      asked += 1
      return face()
    }
    const { port, close, observed } = await openLibrary(test, {
      facesFor: () => ({ graphql: asking, rest: asking }),
      deadlines: { drain: 50_000 },
    })
    const socket = await dial(port)
    socket.pause()
    socket.write(gets(1))
    await until(() => asked > 0)
    const closed = close()
    // Longer than a client may be silent that has all its answers.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    socket.resume()
    const text = await received(socket)
    assert.ok(text.length > large.length, `${text.length}`)
    await closed
    assert.deepEqual(observed, [])
  })

  it("is waited for only while there is something to take", { timeout: 20_000 }, async (test) => {
    const { port, begun, sockets } = await openTurns(test)
    const socket = await dial(port)
    const timeout = (): number => sockets[0]?.timeout ?? 0
    socket.pause()
    socket.write(gets(2))
    await until(() => begun.length === 2)
    begun[0]?.answer(large)
    if (begun[0]) cutUntaken(begun[0].to, 50_000)
    assert.equal(timeout(), 50_000)
    socket.resume()
    await until(() => begun[0]?.to.writableFinished === true)
    assert.equal(timeout(), 0, "the next answer is not ready")
    begun[1]?.answer(large)
    if (begun[1]) cutUntaken(begun[1].to, 50_000)
    assert.equal(timeout(), 50_000)
    await until(() => begun[1]?.to.writableFinished === true)
    assert.ok(timeout() > 0 && timeout() < 50_000, "for which Node keeps a connection without a request")
  })
})
