// Requests that are no HTTP, or that only look like it: each has its status, and the server answers the next one.
import assert from "node:assert/strict"
import { once } from "node:events"
import { describe, it } from "node:test"
import { dial, exchange, openLibrary } from "./open.ts"

describe("hostile requests", () => {
  for (const [what, request, status] of [
    ["no HTTP at all", "\u0000\u0001 hello\r\n\r\n", 400],
    ["a NUL in the address", "GET /authors\u0000/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["a NUL in a header", "GET /authors HTTP/1.1\r\nHost: localhost\r\nX-A: \u0000\r\n\r\n", 400],
    ["no host", "GET /authors HTTP/1.1\r\n\r\n", 400],
    [
      "a header of 20 kB",
      `GET /authors HTTP/1.1\r\nHost: localhost\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ["an address of 20 kB", `GET /authors?${"a".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    [
      "two lengths",
      "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a length that is none", "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400],
    ...["gzip, chunked", "GZIP,chunked", "deflate, gzip, chunked", "gzip"].map(
      (coding) =>
        [
          `a body in the transfer codings ${coding}`,
          `POST /graphql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
          501,
        ] as const,
    ),
    [
      "a transfer whose last coding is not chunked",
      "POST /graphql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "a broken chunk",
      "POST /graphql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
  ] as const)
    it(`${what}: ${status}, and the next one is answered`, async (test) => {
      const { port, url, observed } = await openLibrary(test)
      const answer = await exchange(port, request)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.equal(answer.split("HTTP/1.1 ").length, 2, "one answer")
      assert.doesNotMatch(answer, /\bat .*\.(js|ts):/)
      assert.equal((await fetch(`${url}/authors/1`)).status, 200)
      assert.deepEqual(observed, [])
    })

  for (const [what, request, status] of [
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["a header of 20 kB", `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["no host", "GET /authors HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["no host, and no face", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["two hosts", "GET /authors HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400],
    ["two hosts of HTTP/1.0", "GET /authors HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n", 400],
    ["two hosts, and no face", "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
    ...[
      "a b",
      "a/b",
      "http://localhost",
      "user@localhost",
      "[::1",
      "[::zz]",
      "[1.2.3.4]",
      "localhost:http",
      "localhost:70000",
      "a%zz",
      "é",
      "a,b:1:2",
      '"a"',
    ].flatMap((host) =>
      ["1.1", "1.0"].map(
        (version) =>
          [
            `${host} as a host of HTTP/${version}`,
            `GET /authors/1 HTTP/${version}\r\nHost: ${host}\r\n\r\n`,
            400,
          ] as const,
      ),
    ),
    ["an absolute address of no host", "GET http://a%zz/authors/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["an expectation", "GET /authors HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n", 417],
  ] as const)
    it(`${what}: ${status}, with a problem like any other`, async (test) => {
      const { port } = await openLibrary(test)
      const [head = "", body = ""] = (await exchange(port, request)).split("\r\n\r\n")
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(head, /^content-type: application\/problem\+json$/im)
      const problem = JSON.parse(body)
      assert.deepEqual(Object.keys(problem), [
        "type",
        "title",
        "status",
        "detail",
        "code",
        "requestId",
        "errors",
      ])
      assert.deepEqual([problem.status, problem.code], [status, "malformed_request"])
      assert.deepEqual([problem.errors[0].code, problem.errors[0].detail], [problem.code, problem.detail])
      assert.match(head, new RegExp(`^x-request-id: ${problem.requestId}$`, "im"))
    })

  it("GraphQL says in its own form that a host cannot be read", async (test) => {
    const { port } = await openLibrary(test)
    for (const hosts of ["Host: a\r\nHost: a\r\n", "Host: a b\r\n", ""]) {
      const request = `GET /graphql?query={__typename} HTTP/1.1\r\n${hosts}\r\n`
      const [head = "", body = ""] = (await exchange(port, request)).split("\r\n\r\n")
      assert.match(head, /^HTTP\/1\.1 400 /)
      assert.equal(JSON.parse(body).errors[0].extensions.code, "malformed_request")
    }
  })

  for (const host of [
    "localhost",
    "example.org:8080",
    "[::1]:80",
    "[::ffff:1.2.3.4]",
    "1.2.3.4:",
    "xn--4ca.de",
    "a_b",
  ])
    it(`${host} is a host`, async (test) => {
      const { port } = await openLibrary(test)
      const request = `GET /authors/1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      assert.match(await exchange(port, request), /^HTTP\/1\.1 200 /)
    })

  it("HTTP/1.0 needs no host", async (test) => {
    const { port } = await openLibrary(test)
    assert.match(await exchange(port, "GET /authors/1 HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /)
  })

  it("the server as a whole says which methods there are", async (test) => {
    const { port } = await openLibrary(test)
    const answer = await exchange(port, "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert.match(answer, /^HTTP\/1\.1 204 .*?\r\nallow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n/s)
  })

  for (const path of [
    "/%zz",
    "/authors/%E0%A4%A",
    "/authors/%00",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//authors",
    "/__proto__",
    "/constructor/1",
  ])
    it(`${path} is a mistake of the client's`, async (test) => {
      const { port, observed } = await openLibrary(test)
      const answer = await exchange(
        port,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      )
      assert.match(answer, /^HTTP\/1\.1 40[04] /)
      assert.match(answer, /application\/problem\+json/)
      assert.deepEqual(observed, [])
    })

  it("an absolute address is the same as a relative one", async (test) => {
    const { port } = await openLibrary(test)
    const answer = await exchange(
      port,
      "GET http://localhost/authors/1?fields=name HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    )
    assert.match(answer, /\r\n\r\n\{"id":"author_1","name":"Ada"\}$/)
  })

  it("a client that dawdles over its headers or its body is told so", async (test) => {
    const { port } = await openLibrary(test, { deadlines: { headers: 300, request: 600 } })
    const slowHeaders = await exchange(port, "GET /authors HTTP/1.1\r\nHost: loc")
    assert.match(slowHeaders, /^HTTP\/1\.1 408 /)
    const slowBody = await exchange(
      port,
      "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{",
    )
    assert.match(slowBody, /^HTTP\/1\.1 408 /)
  })

  it("a client that leaves in the middle of its body does no harm", async (test) => {
    const { port, url, observed } = await openLibrary(test)
    const socket = await dial(port)
    socket.write("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
    socket.resetAndDestroy()
    await once(socket, "close")
    assert.equal((await fetch(`${url}/authors/1`)).status, 200)
    assert.deepEqual(observed, [])
  })
})
