// The server through its socket: what it accepts, what it refuses and how it says so, and how it ends.
import assert from "node:assert/strict"
import { connect } from "node:net"
import { describe, it } from "node:test"
import { gzipSync } from "node:zlib"
import { Refusal } from "../../src/base/problem.ts"
import { dial, exchange, openLibrary, received } from "./open.ts"

const json = { "content-type": "application/json" }
const query = (text: string): RequestInit => ({
  method: "POST",
  headers: json,
  body: JSON.stringify({ query: text }),
})

describe("the server", () => {
  it("answers by both faces", async (test) => {
    const { url } = await openLibrary(test)
    const rest = await fetch(`${url}/authors/1?include=books&fields=name&include[books][fields]=title`)
    assert.deepEqual(await rest.json(), {
      id: "author_1",
      name: "Ada",
      books: {
        data: [
          { id: "book_1", title: "One" },
          { id: "book_2", title: "Two" },
        ],
        page: { next: null, prev: null },
      },
    })
    const graphql = await fetch(`${url}/graphql`, query("{ author(id: 1) { name books { totalCount } } }"))
    assert.deepEqual(await graphql.json(), { data: { author: { name: "Ada", books: { totalCount: 2 } } } })
  })

  it("sends an answer of several pieces as a whole", async (test) => {
    const body = [Buffer.from('{"name":"Zo'), Buffer.from("ë"), Buffer.from('"}')]
    const face = async () => ({ status: 200, headers: { "content-type": "application/json" }, body })
    const { url } = await openLibrary(test, { facesFor: () => ({ graphql: face, rest: face }) })
    for (let turn = 0; turn < 3; turn++) {
      const response = await fetch(`${url}/authors/1`)
      assert.equal(response.headers.get("content-length"), String(Buffer.byteLength('{"name":"Zoë"}')))
      assert.deepEqual(await response.json(), { name: "Zoë" })
    }
  })

  it("ends a connection, and says so, when it breaks before there is a face", async (test) => {
    const broken = new Error("broken")
    const { url, observed } = await openLibrary(test, { identify: () => Promise.reject(broken) })
    await assert.rejects(fetch(`${url}/authors/1`))
    const [said] = observed
    assert.ok(said?.kind === "failed")
    assert.equal(said.error, broken)
  })

  it("serves below its base only", async (test) => {
    const { url } = await openLibrary(test, { base: "/api/v1" })
    assert.equal((await fetch(`${url}/api/v1/authors/1`)).status, 200)
    assert.equal((await fetch(`${url}/api/v1/graphql?query={__typename}`)).status, 200)
    for (const path of ["/authors/1", "/graphql", "/api/v1x/authors", "/api"]) {
      const refused = await fetch(`${url}${path}`)
      assert.equal(refused.status, 404, path)
      assert.equal(refused.headers.get("content-type"), "application/problem+json")
      const problem = (await refused.json()) as { errors: unknown }
      assert.deepEqual(problem.errors, [
        { code: "not_found", detail: `There is nothing at ${path}.`, hint: "The service is below /api/v1." },
      ])
    }
  })

  it("has an index for programs and for people", async (test) => {
    const { url } = await openLibrary(test)
    const forPrograms = await fetch(url)
    assert.deepEqual(await forPrograms.json(), {
      service: "library",
      title: "Library & <Co>",
      links: {
        graphql: "/graphql",
        schema: "/schema.graphql",
        openapi: "/openapi.json",
        authors: "/authors",
        books: "/books",
      },
    })
    const forPeople = await fetch(url, { headers: { accept: "text/html,*/*;q=0.8" } })
    assert.equal(forPeople.headers.get("content-type"), "text/html; charset=utf-8")
    const page = await forPeople.text()
    assert.match(page, /<h1>Library &amp; &lt;Co&gt;<\/h1>/)
    assert.match(page, /<a href="\/authors">authors<\/a>/)
  })

  it("says whether it is well", async (test) => {
    const { url } = await openLibrary(test)
    const well = await fetch(`${url}/health`)
    assert.deepEqual([well.status, await well.text()], [200, '{"status":"ok"}'])
    const partly = await openLibrary(test, { health: async () => ({ unavailable: 2 }) })
    const part = await fetch(`${partly.url}/health`)
    assert.deepEqual([part.status, await part.text()], [200, '{"status":"degraded","unavailable":2}'])
    const unwell = await openLibrary(test, { health: () => Promise.reject(new Error("no")) })
    const answer = await fetch(`${unwell.url}/health`)
    assert.deepEqual(
      [answer.status, answer.headers.get("retry-after"), await answer.text()],
      [503, "5", '{"status":"unavailable"}'],
    )
  })

  it("answers HEAD like GET, without the body", async (test) => {
    const { url } = await openLibrary(test)
    for (const path of ["/", "/health", "/authors", "/authors/1"]) {
      const got = await fetch(`${url}${path}`)
      const head = await fetch(`${url}${path}`, { method: "HEAD" })
      assert.equal(head.status, 200, path)
      assert.equal(await head.text(), "")
      for (const name of ["content-type", "content-length", "etag", "vary"])
        assert.equal(head.headers.get(name), got.headers.get(name), `${path} ${name}`)
    }
  })

  it("says which methods there are", async (test) => {
    const { url } = await openLibrary(test)
    for (const path of ["/", "/health", "/authors", "/graphql"])
      for (const method of ["PROPFIND", "PUT"]) {
        const refused = await fetch(`${url}${path}`, { method })
        assert.equal(refused.status, 405, `${method} ${path}`)
        assert.match(refused.headers.get("allow") ?? "", /GET/)
      }
    const options = await fetch(url, { method: "OPTIONS" })
    assert.deepEqual([options.status, options.headers.get("allow")], [204, "GET, HEAD, OPTIONS"])
  })

  it("sends headers that keep browsers from guessing and framing", async (test) => {
    const { url } = await openLibrary(test)
    for (const path of ["/", "/authors", "/graphql?query={__typename}", "/nothing"]) {
      const { headers } = await fetch(`${url}${path}`)
      assert.equal(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/)
    }
  })
})

describe("a request's id", () => {
  it("is the client's own when it is sane", async (test) => {
    const { url } = await openLibrary(test)
    const answer = await fetch(`${url}/authors?no=1`, { headers: { "x-request-id": "trace-1.a/b" } })
    assert.equal(answer.headers.get("x-request-id"), "trace-1.a/b")
    assert.equal(((await answer.json()) as { requestId: string }).requestId, "trace-1.a/b")
  })

  for (const given of ["", "a b", "<script>", "x".repeat(200), '"'])
    it(`is made anew for ${JSON.stringify(given.slice(0, 10))}`, async (test) => {
      const { url } = await openLibrary(test)
      const answer = await fetch(`${url}/graphql`, {
        ...query("{ nothing }"),
        headers: { ...json, "x-request-id": given },
      })
      const id = answer.headers.get("x-request-id") ?? ""
      assert.match(id, /^[0-9a-f-]{36}$/)
      const { errors } = (await answer.json()) as { errors: { extensions: { requestId: string } }[] }
      assert.equal(errors[0]?.extensions.requestId, id)
    })
})

describe("a body that is too large", () => {
  const large = JSON.stringify({ query: `{ __typename # ${"x".repeat(2_000)}\n}` })

  it("is refused in the form of the GraphQL face", async (test) => {
    const { url } = await openLibrary(test)
    const refused = await fetch(`${url}/graphql`, { method: "POST", headers: json, body: large })
    assert.equal(refused.status, 413)
    const { errors } = (await refused.json()) as {
      errors: { message: string; extensions: { code: string } }[]
    }
    assert.equal(errors[0]?.message, "The request's body is larger than 1024 bytes.")
    assert.equal(errors[0]?.extensions.code, "too_large")
  })

  it("is refused in the form of the REST face, and the connection ends", async (test) => {
    const { url } = await openLibrary(test)
    const refused = await fetch(`${url}/authors/query`, { method: "POST", headers: json, body: large })
    assert.equal(refused.status, 413)
    assert.equal(refused.headers.get("content-type"), "application/problem+json")
    assert.equal(((await refused.json()) as { code: string }).code, "too_large")
    assert.equal(refused.headers.get("connection"), "close")
  })

  it("is refused when its length is not announced", async (test) => {
    const { url } = await openLibrary(test)
    const stream = new Blob([large]).stream()
    const refused = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: json,
      body: stream,
      duplex: "half",
    })
    assert.equal(refused.status, 413)
  })

  it("is not waited for", async (test) => {
    const { port } = await openLibrary(test)
    const head = "POST /authors/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    const announced = await exchange(port, `${head}Content-Length: 99999999\r\n\r\n{`)
    assert.match(announced, /^HTTP\/1\.1 413 /)
    const chunk = `${(16 * 1024).toString(16)}\r\n${"x".repeat(16 * 1024)}\r\n`
    const streamed = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`)
    assert.match(streamed, /^HTTP\/1\.1 413 /)
    assert.match(streamed, /\r\nconnection: close\r\n/i)
  })

  it("may be as large as the limit", async (test) => {
    const { url } = await openLibrary(test)
    const body = JSON.stringify({ query: "{ __typename }" })
    const padded = body.slice(0, -1) + " ".repeat(1024 - body.length) + body.slice(-1)
    const answer = await fetch(`${url}/graphql`, { method: "POST", headers: json, body: padded })
    assert.equal(answer.status, 200)
  })
})

it("a compressed body is refused by both faces", async (test) => {
  const { url } = await openLibrary(test)
  for (const path of ["/graphql", "/authors/query"]) {
    const headers = { ...json, "content-encoding": "gzip" }
    const refused = await fetch(`${url}${path}`, {
      method: "POST",
      headers,
      body: gzipSync('{"query":"{__typename}"}'),
    })
    assert.equal(refused.status, 415, path)
    assert.match(await refused.text(), /Content-Encoding \\"gzip\\" is not accepted\./)
  }
})

describe("other origins", () => {
  const asking = { headers: { origin: "https://shop.example" } }
  const preflight = {
    method: "OPTIONS",
    headers: {
      ...asking.headers,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  }

  it("may not read answers unless they are named", async (test) => {
    const closed = await openLibrary(test)
    assert.equal(
      (await fetch(`${closed.url}/authors`, asking)).headers.get("access-control-allow-origin"),
      null,
    )
    const other = await openLibrary(test, { cors: ["https://other.example"] })
    const answer = await fetch(`${other.url}/authors`, asking)
    assert.equal(answer.headers.get("access-control-allow-origin"), null)
    assert.match(answer.headers.get("vary") ?? "", /\bOrigin\b/)
    const refused = await fetch(`${other.url}/graphql`, preflight)
    assert.equal(refused.headers.get("access-control-allow-methods"), null)
  })

  for (const cors of [["https://shop.example"], ["*"]])
    it(`may when they are: ${cors}`, async (test) => {
      const { url } = await openLibrary(test, { cors })
      const allowed = cors[0]
      for (const path of ["/authors", "/graphql?query={__typename}"]) {
        const answer = await fetch(`${url}${path}`, asking)
        assert.equal(answer.headers.get("access-control-allow-origin"), allowed)
        assert.match(answer.headers.get("access-control-expose-headers") ?? "", /\betag\b/)
      }
      const before = await fetch(`${url}/graphql`, preflight)
      assert.equal(before.status, 204)
      assert.equal(before.headers.get("access-control-allow-origin"), allowed)
      assert.match(before.headers.get("access-control-allow-methods") ?? "", /POST/)
      assert.equal(before.headers.get("access-control-allow-headers"), "content-type")
      const plain = await fetch(`${url}/authors`, { method: "OPTIONS" })
      assert.match(plain.headers.get("allow") ?? "", /GET/)
    })
})

describe("a service for its own machine only", () => {
  const ask = (port: number, host: string, path: string): Promise<string> =>
    exchange(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

  it("answers who names the machine as loopback, and nobody else", async (test) => {
    const { port } = await openLibrary(test, { loopbackOnly: true })
    for (const host of ["localhost", `127.0.0.1:${port}`, "[::1]:80", "LOCALHOST:1"])
      assert.match(await ask(port, host, "/authors/1"), /^HTTP\/1\.1 200 /, host)
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""])
      for (const path of ["/authors/1", "/graphql?query={__typename}", "/"])
        assert.match(
          await ask(port, host, path),
          /^HTTP\/1\.1 400 [\s\S]*its own machine only/,
          `${host} ${path}`,
        )
  })

  it("would answer every name without that guard", async (test) => {
    const { port } = await openLibrary(test, { loopbackOnly: false })
    assert.match(await ask(port, "evil.example", "/authors/1"), /^HTTP\/1\.1 200 /)
  })
})

describe("starting and ending", () => {
  it("names a port that is in use", async (test) => {
    const { port } = await openLibrary(test)
    await assert.rejects(openLibrary(test, { port }), (error) => {
      assert.ok(error instanceof Refusal)
      const [{ code, message, hint }] = error.problems
      assert.equal(code, "cannot_listen")
      assert.equal(message, `Port ${port} of 127.0.0.1 is in use already.`)
      assert.match(hint ?? "", /--port/)
      return true
    })
  })

  it("names an address that is not this machine's", async (test) => {
    await assert.rejects(
      openLibrary(test, { host: "192.0.2.1" }),
      /192\.0\.2\.1 is not an address of this machine\./,
    )
  })

  it("answers what has been asked before it ends, and takes nothing new", async (test) => {
    const { port, close, observed } = await openLibrary(test)
    const body = JSON.stringify({ query: "{ author(id: 1) { name } }" })
    const socket = await dial(port)
    const idle = await dial(port)
    const answer = received(socket)
    const nothing = received(idle)
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    const closed = close()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await assert.rejects(dial(port), /ECONNREFUSED/)
    socket.write(body.slice(9))
    assert.match(await answer, /^HTTP\/1\.1 200 [\s\S]*\{"data":\{"author":\{"name":"Ada"\}\}\}$/)
    assert.equal(await nothing, "")
    await closed
    assert.deepEqual(observed, [])
  })

  it("answers clients whose connections wait to be taken when it ends", async (test) => {
    const { port, close, observed } = await openLibrary(test)
    // The kernel makes the connections at once, and nothing here takes them before the server is told to end.
    const answers = Array.from({ length: 50 }, () => {
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {}) // shows in what was received
      socket.write("GET /authors/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return received(socket)
    })
    await close()
    for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.deepEqual(observed, [])
  })

  it("cuts what takes longer than it may", async (test) => {
    const { port, close, observed } = await openLibrary(test, { deadlines: { drain: 200 } })
    const socket = await dial(port)
    socket.write("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
    await new Promise((resolve) => setTimeout(resolve, 100))
    const started = performance.now()
    await close()
    assert.ok(performance.now() - started < 9_000, "by itself it waits for ten seconds")
    assert.deepEqual(observed, [{ kind: "cut", connections: 1 }])
  })
})

it("a fault of ours is told to whoever watches, and to the client only by its id", async (test) => {
  const fault = new Error("a table called secret")
  const { url, observed } = await openLibrary(test, {
    facesFor: () => ({ graphql: () => Promise.reject(fault), rest: () => Promise.reject(fault) }),
  })
  const answer = await fetch(`${url}/authors`, { headers: { "x-request-id": "abc" } })
  assert.equal(answer.status, 500)
  const text = await answer.text()
  assert.doesNotMatch(text, /secret|server\.test/)
  assert.equal(JSON.parse(text).requestId, "abc")
  assert.deepEqual(observed, [{ kind: "failed", requestId: "abc", error: fault }])
})
