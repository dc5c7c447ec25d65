// Content codings of answers, through the socket: what is coded, what stays as it is, and what its headers say of it.
import assert from "node:assert/strict"
import { request } from "node:http"
import { after, before, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { brotliDecompressSync, createGunzip, gunzipSync, zstdDecompressSync } from "node:zlib"
import type { AnswerHeaders } from "../../src/http/answer.ts"
import type { FaceResponse } from "../../src/http/face.ts"
import type { ServerOptions } from "../../src/server/server.ts"
import { type Hooks, temporaryPostgres } from "../support/database.ts"
import { type Library, openLibrary } from "./open.ts"

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const
const codings = ["zstd", "br", "gzip"] as const

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** As the bytes come: a client such as fetch takes the coding off. */
function ask(url: string, { method = "GET", headers = {}, body }: Asking = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
      response.on("error", reject)
    })
    asked.on("error", reject)
    asked.end(body)
  })
}

const accepting = (coding: string, more: Readonly<Record<string, string>> = {}): Asking => ({
  headers: { "accept-encoding": coding, ...more },
})

const text = ({ bytes, headers }: Got): string => {
  const coding = codings.find((name) => name === headers["content-encoding"])
  return (coding ? decoders[coding](bytes) : bytes).toString()
}

/** But for those that each answer has anew, and the one of the way a body is sent. */
function ownHeaders({ headers }: Got): Got["headers"] {
  const { date: _, "x-request-id": _id, "transfer-encoding": _sent, ...others } = headers
  return others
}

/** Longer together than an answer that is sent as a whole, and than one that is coded at once. */
const names = Array.from({ length: 90 }, (_, index) => `${index} ${"ä".repeat(1_000)}`)

async function openLong(
  test: Hooks,
  database?: string,
  options: Partial<ServerOptions> = {},
): Promise<Library> {
  const library = await openLibrary(test, { bodyLimit: 1024 * 1024, ...options }, database, {
    writes: "unsafe",
  })
  const body = JSON.stringify(names.map((name) => ({ name })))
  const headers = { "content-type": "application/json" }
  const made = await fetch(`${library.url}/authors`, { method: "POST", headers, body })
  assert.equal(made.status, 201, await made.text())
  return library
}

for (const database of ["SQLite", "PostgreSQL"])
  describe(`an answer from ${database}`, () => {
    const hooks: { readonly close: (() => unknown)[] } & Hooks = {
      close: [],
      after: (close: () => unknown) => void hooks.close.unshift(close),
    }
    let url = ""
    before(async () => {
      const address = database === "SQLite" ? undefined : await temporaryPostgres(hooks)
      url = (await openLong(hooks, address)).url
    })
    after(async () => {
      for (const close of hooks.close) await close()
    })

    for (const [what, path, type] of [
      ["short list", "/authors?limit=3&sort=id", "application/json"],
      ["long list", "/authors?limit=100&sort=id&fields=name", "application/json"],
      ["long list as CSV", "/authors?limit=100&sort=id&fields=name", "text/csv"],
      ["long list as NDJSON", "/authors?limit=100&sort=id&fields=name", "application/x-ndjson"],
      ["record", "/authors/3", "application/json"],
      ["document", "/openapi.json", "application/json"],
    ] as const)
      it(`is coded as its client likes it: a ${what}`, async () => {
        const plain = await ask(`${url}${path}`, { headers: { accept: type } })
        assert.equal(plain.status, 200)
        assert.equal(plain.headers["content-encoding"], undefined)
        assert.match(String(plain.headers.vary), /(^|, )Accept-Encoding$/)
        const tags = new Set([plain.headers.etag])
        for (const coding of codings) {
          const asking = accepting(coding, { accept: type })
          const got = await ask(`${url}${path}`, asking)
          assert.equal(got.headers["content-encoding"], coding)
          assert.equal(text(got), plain.bytes.toString())
          assert.ok(got.bytes.length < plain.bytes.length / 2)
          assert.equal(got.headers["content-type"], plain.headers["content-type"])
          assert.equal(got.headers.vary, plain.headers.vary)
          const isStream = plain.headers["content-length"] === undefined
          assert.equal(got.headers["content-length"], isStream ? undefined : String(got.bytes.length))
          assert.match(String(got.headers.etag), /^"[^"]+"$/)
          tags.add(got.headers.etag)
          const head = await ask(`${url}${path}`, { ...asking, method: "HEAD" })
          assert.deepEqual(ownHeaders(head), ownHeaders(got))
          assert.equal(head.bytes.length, 0)
        }
        assert.equal(tags.size, 4)
        // Each tag is known again, whatever coding would be sent now, as long as the client takes its own.
        for (const tag of tags)
          for (const accept of ["zstd, br, gzip", "gzip, br;q=0.5, zstd;q=0.1"])
            for (const sent of [`${tag}`, `W/${tag}`, `"other", ${tag}`]) {
              const again = await ask(
                `${url}${path}`,
                accepting(accept, { accept: type, "if-none-match": sent }),
              )
              assert.deepEqual([again.status, again.headers.etag], [304, tag])
              assert.equal(again.headers.vary, plain.headers.vary)
              assert.equal(again.bytes.length, 0)
            }
        const [own, , br = ""] = [...tags].map(String)
        const all = { accept: type, "if-none-match": [...tags].join(", ") }
        const coded = await ask(`${url}${path}`, accepting("br", all))
        assert.deepEqual([coded.status, coded.headers.etag], [304, br])
        const uncoded = await ask(`${url}${path}`, accepting("identity", all))
        assert.deepEqual([uncoded.status, uncoded.headers.etag], [304, own])
        // A cache must not be told that what it has is good for a client that cannot read it.
        const unread = await ask(`${url}${path}`, accepting("gzip", { accept: type, "if-none-match": br }))
        assert.deepEqual([unread.status, unread.headers["content-encoding"]], [200, "gzip"])
        const any = await ask(`${url}${path}`, accepting("br", { accept: type, "if-none-match": "*" }))
        assert.deepEqual([any.status, any.headers.etag], [304, br])
      })

    it("is changed by the tag of any coding", async () => {
      for (const coding of codings) {
        const { headers } = await ask(`${url}/authors/4`, accepting(coding))
        assert.equal(headers["content-encoding"], coding)
        const change = (tag: string): Promise<Got> =>
          ask(`${url}/authors/4`, {
            method: "PATCH",
            headers: { "content-type": "application/json", "if-match": tag, "accept-encoding": coding },
            body: JSON.stringify({ name: `${coding} ${"x".repeat(2_000)}` }),
          })
        const changed = await change(String(headers.etag))
        assert.equal(changed.status, 200, text(changed))
        assert.equal(changed.headers["content-encoding"], coding)
        assert.match(String(changed.headers.etag), new RegExp(`:${coding}"$`))
        assert.equal((await change(String(headers.etag))).status, 412)
        assert.equal((await change(String(changed.headers.etag))).status, 200)
      }
    })

    it("of GraphQL is coded, and its HEAD has the length of its GET", async () => {
      const path = `/graphql?query={authors(first:50){nodes{name}}}`
      for (const coding of [...codings, "identity"]) {
        const got = await ask(`${url}${path}`, accepting(coding))
        const head = await ask(`${url}${path}`, { ...accepting(coding), method: "HEAD" })
        assert.equal(got.headers["content-encoding"], coding === "identity" ? undefined : coding)
        assert.equal(JSON.parse(text(got)).data.authors.nodes.length, 50)
        assert.equal(got.headers["content-length"], String(got.bytes.length))
        assert.equal(head.headers["content-length"], got.headers["content-length"])
        assert.equal(head.headers["content-encoding"], got.headers["content-encoding"])
      }
    })

    it("is as it was where it is small", async () => {
      const [plain, coded] = [
        await ask(`${url}/authors/1`),
        await ask(`${url}/authors/1`, accepting("br, gzip")),
      ]
      assert.deepEqual(ownHeaders(coded), ownHeaders(plain))
      assert.doesNotMatch(String(plain.headers.vary), /Accept-Encoding/)
      assert.deepEqual(coded.bytes, plain.bytes)
      const tag = String(plain.headers.etag)
      const known = await ask(`${url}/authors/1`, accepting("br", { "if-none-match": tag }))
      assert.deepEqual([known.status, known.headers.etag], [304, tag])
    })

    it("is coded even where it is small, for a client that takes nothing else", async () => {
      const plain = await ask(`${url}/authors/1`)
      const got = await ask(`${url}/authors/1`, accepting("identity;q=0, gzip;q=0.1"))
      assert.equal(got.headers["content-encoding"], "gzip")
      assert.equal(text(got), plain.bytes.toString())
      const tag = String(got.headers.etag)
      const known = await ask(`${url}/authors/1`, accepting("br, gzip", { "if-none-match": tag }))
      assert.deepEqual([known.status, known.headers.etag], [304, tag])
    })

    it("is refused where no coding will do, before anything is done", async () => {
      for (const accept of [
        "identity;q=0",
        "*;q=0",
        "deflate, identity;q=0",
        "gzip;q=0, br;q=0, zstd;q=0, *;q=0",
      ]) {
        for (const path of ["/authors/1", "/graphql?query={__typename}", "/health", "/"]) {
          const refused = await ask(`${url}${path}`, accepting(accept))
          assert.equal(refused.status, 406, `${accept} ${path}`)
          assert.match(text(refused), /not_acceptable/)
          assert.match(text(refused), /zstd, br, gzip/)
        }
        const post = await ask(`${url}/authors`, {
          method: "POST",
          headers: { "content-type": "application/json", "accept-encoding": accept },
          body: '{"name":"never made"}',
        })
        assert.equal(post.status, 406)
      }
      const found = await ask(`${url}/authors?filter[name]=never made`.replaceAll(" ", "%20"))
      assert.deepEqual(JSON.parse(text(found)).data, [])
    })
  })

describe("content coding", () => {
  it("can be off", async (test) => {
    const { url } = await openLong(test, undefined, { compression: "off" })
    const got = await ask(`${url}/authors?limit=50`, accepting("zstd, br, gzip"))
    assert.equal(got.headers["content-encoding"], undefined)
    assert.doesNotMatch(String(got.headers.vary), /Accept-Encoding/)
    assert.equal((await ask(`${url}/authors`, accepting("gzip, identity;q=0"))).status, 406)
    const refused = await ask(`${url}/authors`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "br" },
      body: "{}",
    })
    assert.equal(refused.headers["accept-encoding"], "identity")
  })

  it("of a request's body is refused with the codings that are taken, other bodies without", async (test) => {
    const { url } = await openLibrary(test)
    const post = (path: string, headers: Readonly<Record<string, string>>): Promise<Got> =>
      ask(`${url}${path}`, { method: "POST", headers, body: "{}" })
    for (const path of ["/authors", "/graphql"]) {
      const refused = await post(path, { "content-type": "application/json", "content-encoding": "gzip" })
      assert.deepEqual([refused.status, refused.headers["accept-encoding"]], [415, "identity"], path)
      assert.match(text(refused), /without compressing it/)
      const other = await post(path, { "content-type": "text/plain" })
      assert.deepEqual([other.status, other.headers["accept-encoding"]], [415, undefined], path)
    }
    const plain = await post("/authors", {
      "content-type": "application/json",
      "content-encoding": "Identity",
    })
    assert.equal(plain.status, 400)
  })

  it("of equal answers is the same at the same time, and of a document is kept", async (test) => {
    const { url } = await openLibrary(test)
    const all = await Promise.all(
      codings.flatMap((coding) => [1, 2, 3].map(() => ask(`${url}/openapi.json`, accepting(coding)))),
    )
    const sizes = new Set(all.map(({ bytes, headers }) => `${headers["content-encoding"]} ${bytes.length}`))
    assert.equal(sizes.size, 3)
    const again = await ask(`${url}/openapi.json`, accepting("br"))
    assert.ok(again.bytes.equals(all[3]?.bytes ?? Buffer.alloc(0)))
  })
})

/** A server whose every answer is this one. */
async function openAnswer(test: Hooks, answer: () => FaceResponse): Promise<string> {
  const face = async (): Promise<FaceResponse> => answer()
  const { url } = await openLibrary(test, { facesFor: () => ({ graphql: face, rest: face }) })
  return url
}

const answerOf = (headers: AnswerHeaders, body: FaceResponse["body"]): FaceResponse => ({
  status: 200,
  headers,
  body,
})

describe("a stream", () => {
  it("of rows arrives piece by piece", async (test) => {
    for (const [coding, decoder] of [["gzip", createGunzip]] as const) {
      const second = Promise.withResolvers<void>()
      async function* rows(): AsyncGenerator<string> {
        yield '{"id":"1"}\n'
        await second.promise
        yield '{"id":"2"}\n'
      }
      const url = await openAnswer(test, () => answerOf({ "content-type": "application/x-ndjson" }, rows()))
      const seen: string[] = []
      await new Promise<void>((resolve, reject) => {
        request(`${url}/x`, { headers: { "accept-encoding": coding } }, (response) => {
          assert.equal(response.headers["content-encoding"], coding)
          response
            .pipe(decoder())
            .on("data", (piece: Buffer) => {
              seen.push(piece.toString())
              second.resolve()
            })
            .on("end", resolve)
            .on("error", reject)
        }).end()
      })
      assert.deepEqual(seen, ['{"id":"1"}\n', '{"id":"2"}\n'])
    }
  })

  it("of pieces arrives as they are made, in each coding", async (test) => {
    for (const coding of codings) {
      const gate = Promise.withResolvers<void>()
      const arrived: number[] = []
      async function* rows(): AsyncGenerator<string> {
        yield `first ${"row ".repeat(500)}\n`
        await gate.promise
        yield "second\n"
      }
      const url = await openAnswer(test, () => answerOf({ "content-type": "text/csv" }, rows()))
      const chunks: Buffer[] = []
      await new Promise<void>((resolve, reject) => {
        request(`${url}/x`, { headers: { "accept-encoding": coding } }, (response) => {
          response.on("data", (chunk: Buffer) => {
            chunks.push(chunk)
            arrived.push(chunk.length)
            gate.resolve()
          })
          response.on("end", resolve)
          response.on("error", reject)
        }).end()
      })
      assert.ok(arrived.length >= 2, coding)
      assert.equal(
        decoders[coding](Buffer.concat(chunks)).toString(),
        `first ${"row ".repeat(500)}\nsecond\n`,
      )
    }
  })

  it("of events stays as it is, unless its client takes nothing else", async (test) => {
    async function* events(): AsyncGenerator<string> {
      yield "data: 1\n\n"
    }
    const url = await openAnswer(test, () =>
      answerOf({ "content-type": "text/event-stream; charset=utf-8" }, events()),
    )
    const plain = await ask(`${url}/x`, accepting("gzip, br, zstd"))
    assert.deepEqual([plain.headers["content-encoding"], text(plain)], [undefined, "data: 1\n\n"])
    const coded = await ask(`${url}/x`, accepting("gzip, identity;q=0"))
    assert.deepEqual([coded.headers["content-encoding"], text(coded)], ["gzip", "data: 1\n\n"])
  })

  it("that fails in the middle is cut, coded or not, and its fault is told", async (test) => {
    const fault = new Error("the piece cannot be made")
    async function* rows(): AsyncGenerator<string> {
      yield "one\n"
      throw fault
    }
    const face = async (): Promise<FaceResponse> => answerOf({ "content-type": "text/csv" }, rows())
    const { url, observed } = await openLibrary(test, { facesFor: () => ({ graphql: face, rest: face }) })
    for (const coding of codings) await assert.rejects(ask(`${url}/x`, accepting(coding)), coding)
    for (let turn = 0; observed.length < 3 && turn < 100; turn++) await sleep(10)
    assert.deepEqual(
      observed.map((observation) => observation.kind === "failed" && observation.error),
      [fault, fault, fault],
    )
  })

  it("that its client leaves is not made any further", async (test) => {
    const made = { pieces: 0, ended: false }
    async function* rows(): AsyncGenerator<string> {
      try {
        for (;;) {
          made.pieces += 1
          yield `${Math.random()}\n`.repeat(2_000)
          await sleep(0)
        }
      } finally {
        made.ended = true
      }
    }
    const face = async (): Promise<FaceResponse> => answerOf({ "content-type": "text/csv" }, rows())
    const { url, observed } = await openLibrary(test, { facesFor: () => ({ graphql: face, rest: face }) })
    const asked = request(`${url}/x`, { headers: { "accept-encoding": "br" } }, (response) => {
      response.once("data", () => response.destroy())
    })
    asked.on("error", () => {})
    asked.end()
    for (let turn = 0; !made.ended && turn < 500; turn++) await sleep(10)
    assert.equal(made.ended, true)
    assert.deepEqual(observed, [])
  })
})
