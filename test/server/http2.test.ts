// HTTP/2, by TLS and without: the same answers as by HTTP/1.1, and the same limits. A fault of one connection is one of no other.
import assert from "node:assert/strict"
import { once } from "node:events"
import { copyFile, readFile, writeFile } from "node:fs/promises"
import { request as http1 } from "node:http"
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2"
import { request as https } from "node:https"
import { connect as dialPlain, type Socket } from "node:net"
import { join } from "node:path"
import { after, before, suite, test } from "node:test"
import { connect as dialTls } from "node:tls"
import { Refusal } from "../../src/base/problem.ts"
import type { FaceResponse } from "../../src/http/face.ts"
import { type MadeCertificate, makeCertificate, makeExpired } from "../support/certificates.ts"
import { cleanUp, type Hooks, temporaryFolder } from "../support/database.ts"
import { data, headers, opening, reset, taken } from "./frames.ts"
import { dial, exchange, type Library, openLibrary, received } from "./open.ts"

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Fields of a request, for frames. */
const get = { ":method": "GET", ":path": "/books", ":scheme": "http", ":authority": "localhost" }

const hooks = cleanUp(after)
let folder = ""
let certificate: MadeCertificate
let ca = ""
before(async () => {
  folder = await temporaryFolder(hooks)
  certificate = await makeCertificate(folder, "first")
  ca = await readFile(certificate.cert, "utf8")
})

function open2(hooks: Hooks, library: Library): ClientHttp2Session {
  const url = library.url.replace("127.0.0.1", "localhost")
  const session = connect(url, { ca })
  session.on("error", () => {})
  hooks.after(() => session.destroy())
  return session
}

/** A connection to send frames on. */
async function dial2({ port }: Library, isSecure: boolean): Promise<Socket> {
  if (!isSecure) return dial(port)
  const socket = dialTls({ port, host: "localhost", ca, ALPNProtocols: ["h2"] }).on("error", () => {})
  await once(socket, "secureConnect")
  return socket
}

async function ask2(
  session: ClientHttp2Session,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return answerOn(
    session.request({ ":path": path, ":method": method, ...headers }, { endStream: body === undefined }),
    body,
  )
}

async function answerOn(stream: ClientHttp2Stream, body?: string): Promise<Answer> {
  if (body !== undefined) stream.end(body)
  const chunks: Buffer[] = []
  stream.on("data", (chunk) => chunks.push(chunk))
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>]
  if (!stream.closed) await once(stream, "close")
  return { status: Number(headers[":status"]), headers, body: Buffer.concat(chunks).toString() }
}

function ask1(library: Library, path: string): Promise<Answer & { readonly version: string }> {
  const url = new URL(path, library.url.replace("127.0.0.1", "localhost"))
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? https : http1
    const sent = send(url, { ca, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
          version: response.httpVersion,
        }),
      )
    })
    sent.on("error", reject).end()
  })
}

const graphql = (query: string) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query }),
})

for (const transport of ["TLS", "plain"] as const)
  suite(`HTTP/2, ${transport}`, () => {
    const own = cleanUp(after)
    const options = () => (transport === "TLS" ? { tls: certificate } : { h2c: true })
    let library: Library
    before(async () => {
      library = await openLibrary(own, options())
    })

    test("both faces answer as they do by HTTP/1.1", async () => {
      const session = open2(own, library)
      const [one, two] = [await ask1(library, "/books?limit=2"), await ask2(session, "/books?limit=2")]
      assert.equal(one.version, "1.1")
      assert.equal(two.status, 200)
      assert.equal(two.body, one.body)
      for (const name of ["etag", "content-type", "vary", "link", "content-length", "x-content-type-options"])
        assert.equal(two.headers[name], one.headers[name], name)
      assert.equal(two.headers["connection"], undefined)
      const queried = await ask2(
        session,
        "/graphql",
        graphql("{ books { nodes { title author { name } } } }"),
      )
      assert.equal(JSON.parse(queried.body).data.books.nodes[2].author.name, "Zoë")
      const again = await ask2(session, "/books?limit=2", {
        headers: { "if-none-match": String(two.headers["etag"]) },
      })
      assert.deepEqual([again.status, again.body], [304, ""])
      const head = await ask2(session, "/books?limit=2", { method: "HEAD" })
      assert.deepEqual(
        [head.status, head.body, head.headers["content-length"]],
        [200, "", two.headers["content-length"]],
      )
      const coded = await ask2(session, "/openapi.json", { headers: { "accept-encoding": "gzip" } })
      assert.equal(coded.headers["content-encoding"], "gzip")
      const csv = await ask2(session, "/books", { headers: { accept: "text/csv" } })
      assert.match(csv.body, /^id,title/)
      assert.equal((await ask2(session, "/health")).status, 200)
      assert.equal((await ask2(session, "/nothing")).status, 404)
    })

    test("requests at the same time are each answered", async () => {
      const session = open2(own, library)
      await once(session, "remoteSettings")
      assert.equal(session.remoteSettings.maxConcurrentStreams, 100)
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => ask2(session, `/books/${(n % 3) + 1}`)),
      )
      for (const [n, answer] of answers.entries())
        assert.equal(JSON.parse(answer.body).id, `book_${(n % 3) + 1}`)
    })

    test("what is too large, or is no request, is refused by its stream alone", async () => {
      const session = open2(own, library)
      const large = await ask2(session, "/graphql", { ...graphql("{ books }"), body: "x".repeat(2_000) })
      assert.equal(large.status, 413)
      const twice = session.request({
        ":path": "/books",
        ":authority": "localhost",
        host: "elsewhere.example",
      })
      assert.equal((await answerOn(twice)).status, 400)
      const long = session.request({ ":path": "/books", "x-long": "x".repeat(20_000) })
      await assert.rejects(answerOn(long))
      const tunnel = session.request({ ":method": "CONNECT", ":authority": "elsewhere.example:443" })
      assert.equal((await answerOn(tunnel)).status, 405)
      assert.equal((await ask2(session, "/books/1")).status, 200)
    })

    test("a body is taken when its stream says that it is whole, and never before", async () => {
      const writable = await openLibrary(own, options(), undefined, { writes: "unsafe" })
      const socket = await dial2(writable, transport === "TLS")
      const post = { ":method": "POST", ":path": "/books", ":scheme": "http", ":authority": "localhost" }
      const fields = { ...post, "content-type": "application/json" }
      const body = (title: string): string => JSON.stringify({ title, authorId: "author_1" })
      socket.write(opening)
      const codes = [constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_CANCEL, constants.NGHTTP2_INTERNAL_ERROR]
      let stream = 1
      for (const code of codes)
        for (const waits of [true, false]) {
          socket.write(Buffer.concat([headers(stream, fields), data(stream, body("Given up"))]))
          // The body is with the server, or comes with the reset.
          if (waits) assert.equal(await taken(socket), true)
          socket.write(reset(stream, code))
          assert.equal(await taken(socket), true)
          stream += 2
        }
      // One whose length was announced, and a part of it.
      const announced = { ...fields, "content-length": String(body("Short").length + 1) }
      socket.write(Buffer.concat([headers(stream, announced), data(stream, body("Short"), true)]))
      stream += 2
      socket.write(Buffer.concat([headers(stream, fields), data(stream, body("Whole"), true)]))
      assert.equal(await taken(socket), true)
      // One whose connection ends.
      stream += 2
      socket.write(Buffer.concat([headers(stream, fields), data(stream, body("Cut"))]))
      assert.equal(await taken(socket), true)
      const session = open2(own, writable)
      const titles = async (): Promise<string[]> => {
        const { body } = await ask2(session, "/books?sort=id")
        return JSON.parse(body).data.map(({ title }: { title: string }) => title)
      }
      while (!(await titles()).includes("Whole")) await new Promise((resolve) => setTimeout(resolve, 5))
      socket.end()
      if (!socket.closed) await once(socket, "close")
      // Writes are done in turn.
      const last = await ask2(session, "/books", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: body("Last"),
      })
      assert.equal(last.status, 201)
      assert.deepEqual(await titles(), ["One", "Two", "Three", "Whole", "Last"])
      assert.deepEqual(writable.observed, [])
    })

    test("a client that resets its streams as fast as it opens them is sent away, and others are answered", async () => {
      const library = await openLibrary(own, options())
      const other = open2(own, library)
      assert.equal((await ask2(other, "/books/1")).status, 200)
      const bad = await dial2(library, transport === "TLS")
      bad.write(opening)
      let stream = 1
      const rapid = (): Buffer => {
        const frames = [headers(stream, get, true), reset(stream, constants.NGHTTP2_CANCEL)]
        stream += 2
        return Buffer.concat(frames)
      }
      // What a client that leaves a page gives up.
      for (let n = 0; n < 100; n += 1) bad.write(rapid())
      assert.equal(await taken(bad), true)
      let isThere = true
      for (let round = 0; round < 100 && isThere; round += 1) {
        bad.write(Buffer.concat(Array.from({ length: 50 }, rapid)))
        isThere = await taken(bad)
      }
      assert.equal(isThere, false)
      // Two for each stream: the bound, and what came in one round more.
      assert.ok(stream < 800, `${stream}`)
      assert.equal((await ask2(other, "/books/1")).status, 200)
      assert.deepEqual(library.observed, [])
    })

    test("a header may have the name of a member of all objects", async () => {
      const library = await openLibrary(own, options())
      const bad = await dial2(library, transport === "TLS")
      bad.write(opening)
      for (const [index, name] of ["constructor", "__proto__", "tostring"].entries()) {
        const fields = { ...get, [name]: "x" }
        bad.write(headers(2 * index + 1, fields, true))
        assert.equal(await taken(bad), true, name)
      }
      bad.destroy()
      assert.equal((await ask2(open2(own, library), "/books/1")).status, 200)
      assert.deepEqual(library.observed, [])
    })

    test("a stream that its client gives up in the packet that opens it does no harm", async () => {
      // A tunnel, and a request that is refused for load: both are answered at once.
      for (const fields of [{ ":method": "CONNECT", ":authority": "localhost:80" }, get]) {
        const library = await openLibrary(own, { ...options(), mostRequests: fields === get ? 0 : 2_000 })
        const bad = await dial2(library, transport === "TLS")
        const frames: Buffer[] = [opening]
        for (let stream = 1; stream < 100; stream += 2)
          frames.push(headers(stream, fields, true), reset(stream, constants.NGHTTP2_CANCEL))
        bad.write(Buffer.concat(frames))
        assert.equal(await taken(bad), true)
        bad.destroy()
        assert.equal((await ask2(open2(own, library), "/livez")).status, 200)
        assert.deepEqual(library.observed, [])
      }
    })

    test("garbage ends its connection, and nothing else", async () => {
      const library = await openLibrary(own, options())
      const { port } = library
      for (const bytes of [
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\u0004\u0009\0\0\0\0\u0001garbage garbage",
        "\u0016\u0003\u0001 no TLS",
        "PRI",
      ]) {
        const socket = await dial2(library, transport === "TLS")
        socket.end(bytes)
        await received(socket)
      }
      if (transport === "TLS") await received((await dial(port)).end("GET / HTTP/1.1\r\n\r\n"))
      assert.equal((await ask2(open2(own, library), "/books/1")).status, 200)
      assert.equal((await ask1(library, "/books/1")).status, 200)
      assert.deepEqual(library.observed, [])
    })
  })

test("a body that does not come is given up in time, a connection without requests is ended", async (context) => {
  const library = await openLibrary(context, {
    h2c: true,
    deadlines: { headers: 100, request: 100, idle: 150, untaken: 100 },
  })
  const session = open2(context, library)
  const slow = session.request({ ":path": "/graphql", ":method": "POST", "content-type": "application/json" })
  slow.on("error", () => {})
  slow.write("{")
  const ended = once(session, "close")
  await once(slow, "close")
  assert.equal(slow.rstCode, constants.NGHTTP2_CANCEL)
  await ended
  // As one that never says which protocol it speaks: by the first bytes.
  const again = await ask2(open2(context, library), "/books/1")
  assert.equal(again.status, 200)
})

test("a client that takes nothing of its answer does not keep it", async (context) => {
  const library = await openLibrary(context, { h2c: true, deadlines: { untaken: 100 } })
  const session = connect(library.url, { settings: { initialWindowSize: 100 } })
  session.on("error", () => {})
  context.after(() => session.destroy())
  const stream = session.request({ ":path": "/openapi.json" })
  stream.on("error", () => {})
  await once(stream, "response")
  if (!stream.closed) await once(stream, "close")
  assert.equal(stream.rstCode, constants.NGHTTP2_CANCEL)
})

test("requests over the bound are refused at once, those of one connection too", async (context) => {
  const waiting = Promise.withResolvers<FaceResponse>()
  const facesFor = () => {
    const face = () => waiting.promise
    return { graphql: face, rest: face }
  }
  const library = await openLibrary(context, { h2c: true, mostRequests: 8, facesFor: facesFor as never })
  const session = open2(context, library)
  const first = Array.from({ length: 40 }, () => ask2(session, "/books"))
  // Each of the others is refused before the first of them is answered.
  const refused = await Promise.race(first)
  assert.equal(refused.status, 503)
  assert.equal(refused.headers["retry-after"], "1")
  for (const path of ["/health", "/livez", "/readyz"])
    assert.equal((await ask2(session, path)).status, 200, path)
  waiting.resolve({ status: 200, headers: {}, body: "{}" })
  const statuses = (await Promise.all(first)).map(({ status }) => status)
  assert.ok(statuses.filter((status) => status === 200).length <= 8, statuses.join())
  assert.ok(statuses.includes(200))
})

test("a connection over the bound of its address is ended", async (context) => {
  const library = await openLibrary(context, { h2c: true, mostConnections: 1 })
  const first = open2(context, library)
  assert.equal((await ask2(first, "/books/1")).status, 200)
  const second = open2(context, library)
  await once(second, "close")
  // Those of HTTP/1.1 are counted with them.
  assert.equal((await ask1(library, "/books/1")).status, 503)
  assert.equal((await ask2(first, "/books/2")).status, 200)
})

test("frames against the protocol end their stream, and a hundred of them the connection", async (context) => {
  const library = await openLibrary(context, { h2c: true })
  const socket = await dial2(library, false)
  const fault = { ":method": "GET", ":path": "/books", ":scheme": "http", connection: "close" }
  socket.write(opening)
  let stream = 1
  const send = async (count: number): Promise<boolean> => {
    for (let n = 0; n < count; n += 1, stream += 2) socket.write(headers(stream, fault, true))
    return taken(socket)
  }
  assert.equal(await send(50), true)
  assert.equal(await send(60), false)
  assert.equal((await ask2(open2(context, library), "/books/1")).status, 200)
  assert.deepEqual(library.observed, [])
})

test("HTTP/2 is not begun by an upgrade of HTTP/1.1", async (context) => {
  const library = await openLibrary(context, { h2c: true })
  const asked = ["GET /books/1 HTTP/1.1", "Host: localhost", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"]
  const answer = await exchange(
    library.port,
    [...asked, "Connection: Upgrade, HTTP2-Settings, close", "", ""].join("\r\n"),
  )
  assert.match(answer, /^HTTP\/1\.1 200 /)
})

test("TLS is that of 1.2 or 1.3", async (context) => {
  const library = await openLibrary(context, { tls: certificate })
  const protocolOf = async (version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3"): Promise<string | null> => {
    const ciphers = "DEFAULT@SECLEVEL=0"
    const socket = dialTls({
      ...{ port: library.port, host: "localhost", ca, ciphers },
      ...{ minVersion: version, maxVersion: version },
    })
    const protocol = await Promise.race([
      once(socket, "secureConnect").then(() => socket.getProtocol()),
      once(socket, "close").then(() => null),
    ]).catch(() => null)
    socket.destroy()
    return protocol
  }
  assert.equal(await protocolOf("TLSv1.1"), null)
  assert.equal(await protocolOf("TLSv1.2"), "TLSv1.2")
  assert.equal(await protocolOf("TLSv1.3"), "TLSv1.3")
})

test("on closing, streams are answered and clients are told to go", async (context) => {
  const waiting = Promise.withResolvers<FaceResponse>()
  const begun = Promise.withResolvers<void>()
  const face = () => {
    begun.resolve()
    return waiting.promise
  }
  const library = await openLibrary(context, {
    tls: certificate,
    facesFor: (() => ({ graphql: face, rest: face })) as never,
  })
  const session = open2(context, library)
  const away = once(session, "goaway")
  const asked = ask2(session, "/books")
  await begun.promise
  const closed = library.close()
  await away
  waiting.resolve({ status: 200, headers: {}, body: '{"late":true}' })
  assert.equal((await asked).body, '{"late":true}')
  await closed
  assert.deepEqual(library.observed, [])
})

test("what a client sends after it was told to go is not done, and it learns so", async (context) => {
  const waiting = Promise.withResolvers<FaceResponse>()
  const asked: string[] = []
  const face = ({ path }: { path: string }) => {
    asked.push(path)
    return waiting.promise
  }
  const library = await openLibrary(context, {
    h2c: true,
    facesFor: (() => ({ graphql: face, rest: face })) as never,
  })
  const socket = await dial2(library, false)
  socket.write(Buffer.concat([opening, headers(1, get, true)]))
  while (asked.length === 0) await taken(socket)
  const closed = library.close()
  const [goaway] = (await once(socket, "data")) as [Buffer]
  // The type of the frame, and the last stream that is answered.
  assert.deepEqual([goaway.readUInt8(3), goaway.readUInt32BE(9)], [7, 1])
  socket.write(headers(3, get, true))
  assert.equal(await taken(socket), true)
  waiting.resolve({ status: 200, headers: {}, body: '{"late":true}' })
  assert.match(await received(socket), /"late":true/)
  await closed
  assert.equal(asked.length, 1)
  assert.deepEqual(library.observed, [])
})

test("while the server drains, its clients are told to go one by one, and all are answered", async (context) => {
  const library = await openLibrary(context, { h2c: true })
  const session = open2(context, library)
  assert.equal((await ask2(session, "/readyz")).status, 200)
  const away = once(session, "goaway")
  library.drain(300)
  assert.equal((await ask2(session, "/readyz")).status, 503)
  assert.equal((await ask2(session, "/books/1")).status, 200)
  await away
  const again = open2(context, library)
  assert.equal((await ask2(again, "/books/2")).status, 200)
  await once(again, "goaway")
  await library.close()
  assert.deepEqual(library.observed, [])
})

test("renewed certificates are those of new connections; files that do not fit are told, and the last ones stay", async (context) => {
  const [cert, key] = [join(folder, "renewed.crt"), join(folder, "renewed.key")]
  await Promise.all([copyFile(certificate.cert, cert), copyFile(certificate.key, key)])
  const library = await openLibrary(context, { tls: { cert, key } })
  const organisation = async (): Promise<unknown> => {
    const socket = dialTls({ port: library.port, host: "localhost", rejectUnauthorized: false })
    await once(socket, "secureConnect")
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return subject["O"]
  }
  const observed = async (count: number): Promise<void> => {
    while (library.observed.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  assert.equal(await organisation(), "first")
  const second = await makeCertificate(folder, "second")
  await copyFile(second.cert, cert)
  process.emit("SIGHUP")
  await observed(1)
  const [problem] = library.observed
  assert.ok(problem?.kind === "certificate" && problem.problem)
  assert.match(problem.problem.message, /^The key .* does not belong to the certificate/)
  assert.equal(await organisation(), "first")
  await copyFile(second.key, key)
  process.emit("SIGHUP")
  await observed(2)
  assert.equal(await organisation(), "second")
  // One that has expired is served, with a warning that has the date.
  const expired = await makeExpired(folder, "expired")
  await Promise.all([copyFile(expired.cert, cert), copyFile(expired.key, key)])
  process.emit("SIGHUP")
  while (library.observed.at(-1)?.kind !== "outdated") await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await organisation(), "expired")
  // Without a signal they are found, too.
  const third = await makeCertificate(folder, "third")
  await Promise.all([copyFile(third.cert, cert), copyFile(third.key, key)])
  while ((await organisation()) !== "third") await new Promise((resolve) => setTimeout(resolve, 100))
})

test("files that cannot be used are refused before anything listens", async (context) => {
  const notes = join(folder, "notes.txt")
  await writeFile(notes, "no certificate")
  const other = await makeCertificate(folder, "other")
  const cases = [
    [
      { ...certificate, cert: join(folder, "absent") },
      /^The certificate .*absent cannot be read: there is no such file\.$/,
    ],
    [{ ...certificate, key: folder }, /^The key .* cannot be read: it is a folder\.$/],
    [{ ...certificate, cert: notes }, /notes\.txt holds no certificate in PEM that can be used\.$/],
    [{ ...certificate, key: notes }, /notes\.txt holds no key in PEM that can be used\.$/],
    [
      { ...certificate, key: other.key },
      /^The key .*other\.key does not belong to the certificate .*first\.crt\.$/,
    ],
  ] as const
  for (const [tls, message] of cases)
    await assert.rejects(openLibrary(context, { tls }), (error) => {
      assert.ok(error instanceof Refusal, String(error))
      assert.match(error.problems[0].message, message)
      return true
    })
})

test("a plain connection that says nothing is not kept for ever by the choice of its protocol", async (context) => {
  const library = await openLibrary(context, { h2c: true })
  const socket = dialPlain(library.port, "127.0.0.1")
  await once(socket, "connect")
  socket.write("PRI * HT")
  socket.end()
  await received(socket)
})
