// Cross-origin sharing of every answer that a browser may see, those to requests that no face has seen included.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { exposedHeaders, headerNames } from "../../src/http/answer.ts"
import type { ServerOptions } from "../../src/server/server.ts"
import { dial, exchange, openLibrary, received } from "./open.ts"

const shop = "https://shop.example"
const desk = "https://desk.example"

interface Head {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
}

/** The last answer of those that came. */
function lastHead(text: string): Head {
  const head = text.slice(text.lastIndexOf("HTTP/1.1 ")).split("\r\n\r\n")[0] ?? ""
  const [first = "", ...lines] = head.split("\r\n")
  const pairs = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ])
  assert.equal(new Set(pairs.map(([name]) => name)).size, pairs.length, `each header is there once: ${head}`)
  return { status: Number(first.split(" ")[1]), headers: new Map(pairs) }
}

/** Headers that Node adds by itself. */
const ofNode = ["date", "keep-alive", "transfer-encoding"]

function assertShared({ headers }: Head, cors: readonly string[], what: string): void {
  const isAny = cors.includes("*")
  assert.equal(headers.get("access-control-allow-origin"), isAny ? "*" : shop, what)
  const exposed = (headers.get("access-control-expose-headers") ?? "").split(", ")
  const vary = (headers.get("vary") ?? "").split(", ")
  assert.equal(vary.filter((name) => name === "Origin").length, isAny ? 0 : 1, `${what}: ${vary}`)
  for (const name of headers.keys()) {
    if (ofNode.includes(name)) continue
    assert.ok(
      (headerNames as readonly string[]).includes(name),
      `${what}: ${name} is in the table of headers`,
    )
    if ((exposedHeaders as readonly string[]).includes(name))
      assert.ok(exposed.includes(name), `${what}: ${name}`)
  }
}

const origin = `Origin: ${shop}`
const long = "a".repeat(20_000)

/** Requests that are refused before they are understood, each with the status of its refusal. */
const early = [
  [
    "headers that are too large",
    `GET /authors HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nX-A: ${long}\r\n\r\n`,
    431,
  ],
  [
    "an address that is too large",
    `GET /authors?${long} HTTP/1.1\r\nHost: localhost\r\n${origin}\r\n\r\n`,
    431,
  ],
  ["no HTTP", `GET /authors HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nX-A: \u0000\r\n\r\n`, 400],
  [
    "two lengths",
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
  ],
  ["no host", `GET /authors HTTP/1.1\r\n${origin}\r\n\r\n`, 400],
  [
    "a body that is too large",
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nContent-Length: 999999\r\n\r\n`,
    413,
  ],
  [
    "an expectation",
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n`,
    417,
  ],
  [
    "no coding that will do",
    `GET /authors HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nAccept-Encoding: *;q=0\r\nConnection: close\r\n\r\n`,
    406,
  ],
  [
    "a body in a coding",
    `POST /authors HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nContent-Type: application/json\r\nContent-Encoding: br\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    415,
  ],
  [
    "nothing there",
    `GET /nowhere HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nConnection: close\r\n\r\n`,
    404,
  ],
  [
    "another method",
    `PUT /authors HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nConnection: close\r\n\r\n`,
    405,
  ],
  [
    "nothing wrong",
    `GET /authors HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    200,
  ],
] as const

for (const cors of [["*"], [shop], [desk, shop]])
  describe(`pages of ${cors.join(" and ")} may read`, () => {
    for (const [what, request, status] of early)
      it(`the answer to ${what}: ${status}`, async (test) => {
        const { port } = await openLibrary(test, { cors })
        const head = lastHead(await exchange(port, request))
        assert.equal(head.status, status)
        assertShared(head, cors, what)
      })

    it("the answer to what takes too long: 408", async (test) => {
      const deadlines: ServerOptions["deadlines"] = { headers: 200, request: 400 }
      const { port } = await openLibrary(test, { cors, deadlines })
      const slowBody = await exchange(
        port,
        `POST /graphql HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nContent-Length: 9\r\n\r\n{`,
      )
      const head = lastHead(slowBody)
      assert.equal(head.status, 408)
      assertShared(head, cors, "a slow body")
      // Incomplete headers name no origin; only an earlier request of the connection did.
      const socket = await dial(port)
      const all = received(socket)
      socket.write(`GET /authors/1 HTTP/1.1\r\nHost: localhost\r\n${origin}\r\n\r\n`)
      await sleep(100)
      socket.write("GET /authors/1 HTTP/1.1\r\nHost: local")
      const slowHeaders = lastHead(await all)
      assert.equal(slowHeaders.status, 408)
      assertShared(slowHeaders, cors, "slow headers")
    })

    it("that there is too much to do, or that there are too many connections: 503", async (test) => {
      const busy = await openLibrary(test, { cors, mostRequests: 0 })
      for (const path of ["/authors", "/graphql"]) {
        const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nConnection: close\r\n\r\n`
        const head = lastHead(await exchange(busy.port, request))
        assert.equal(head.status, 503)
        assertShared(head, cors, path)
      }
      const crowded = await openLibrary(test, { cors, mostConnections: 1 })
      await dial(crowded.port)
      const head = lastHead(await received(await dial(crowded.port)))
      assert.equal(head.status, 503)
      // Nothing of the request is read, so that of several origins none can be named.
      if (cors.length === 1) assertShared(head, cors, "a connection")
      else assert.equal(head.headers.get("access-control-allow-origin"), undefined)
    })
  })

it("pages read all headers of Bifold's own", () => {
  const own =
    "accept-encoding accept-patch accept-post allow api-version cost deprecation etag idempotency-replayed link location preference-applied ratelimit ratelimit-policy retry-after sunset value-errors www-authenticate x-request-id"
  assert.equal(exposedHeaders.join(" "), own)
})

describe("other origins", () => {
  for (const [what, request, status] of early)
    it(`are given nothing to read with the answer to ${what}`, async (test) => {
      const { port } = await openLibrary(test, { cors: [desk, "https://other.example"] })
      const { headers, status: found } = lastHead(await exchange(port, request))
      assert.equal(found, status)
      assert.equal(headers.get("access-control-allow-origin"), undefined)
      assert.match(headers.get("vary") ?? "", /\bOrigin\b/)
      const closed = await openLibrary(test)
      const without = lastHead(await exchange(closed.port, request))
      assert.equal(without.headers.get("access-control-allow-origin"), undefined)
      assert.doesNotMatch(without.headers.get("vary") ?? "", /\bOrigin\b/)
    })

  it("a preflight is kept for two hours, and varies by what it answers", async (test) => {
    const preflight = (port: number): Promise<string> =>
      exchange(
        port,
        `OPTIONS /authors HTTP/1.1\r\nHost: localhost\r\n${origin}\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: if-match\r\nConnection: close\r\n\r\n`,
      )
    for (const [cors, vary] of [
      [["*"], "Access-Control-Request-Headers"],
      [[desk, shop], "Access-Control-Request-Headers, Origin"],
    ] as const) {
      const { port } = await openLibrary(test, { cors })
      const { status, headers } = lastHead(await preflight(port))
      assert.equal(status, 204)
      assert.equal(headers.get("access-control-max-age"), "7200")
      assert.equal(headers.get("access-control-allow-headers"), "if-match")
      assert.equal(headers.get("vary"), vary)
    }
    const { port } = await openLibrary(test, { cors: [desk] })
    const { headers } = lastHead(await preflight(port))
    assert.deepEqual(
      [
        headers.get("access-control-allow-origin"),
        headers.get("access-control-max-age"),
        headers.get("vary"),
      ],
      [undefined, undefined, "Origin"],
    )
  })
})
