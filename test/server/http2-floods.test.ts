// Frames of HTTP/2 that ask for nothing, as fast as a connection takes them: other clients are answered meanwhile.
import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:http2"
import { type TestContext, test } from "node:test"
import { continuation, data, headers, opening, ping, settings, window } from "./frames.ts"
import { dial, type Library, openLibrary } from "./open.ts"

const fields = { ":method": "POST", ":path": "/books", ":scheme": "http", ":authority": "localhost" }
/** As much as Node reads at a time. */
const portion = 65_536
/** Answers that another client gets while the flood goes on. */
const answers = 5

const flooded = { kind: "flooded", bound: "frames", count: 1 } as const

/** The frames before the flood, and the one that it repeats. nghttp2 itself does not bound a WINDOW_UPDATE. */
const floods = {
  PING: { begin: [], frame: ping, observed: [] },
  SETTINGS: { begin: [], frame: settings, observed: [] },
  "empty DATA": { begin: [headers(1, fields)], frame: data(1, ""), observed: [] },
  "empty CONTINUATION": { begin: [headers(1, fields, "begun")], frame: continuation(1), observed: [] },
  "WINDOW_UPDATE of a connection": { begin: [], frame: window(0), observed: [flooded] },
  "WINDOW_UPDATE of a stream": { begin: [headers(1, fields)], frame: window(1), observed: [flooded] },
} as const

function otherOf(t: TestContext, { url }: Library): () => Promise<number> {
  const session = connect(url).on("error", () => {})
  t.after(() => session.destroy())
  return async () => {
    const [got] = await once(session.request({ ":path": "/books/1" }).resume(), "response")
    return Number(got[":status"])
  }
}

for (const [name, { begin, frame, observed }] of Object.entries(floods))
  test(`a flood of ${name} ends its connection, and others are answered`, async (t) => {
    const library = await openLibrary(t, { h2c: true })
    const ask = otherOf(t, library)
    const flooding = await dial(library.port)
    t.after(() => flooding.destroy())
    flooding.resume()
    const bytes = Buffer.concat(
      Array.from({ length: Math.floor(portion / frame.length) }, () => frame as Buffer),
    )
    const go = (): void => {
      if (flooding.destroyed) return
      flooding.write(bytes, () => setImmediate(go))
    }
    flooding.write(Buffer.concat([opening, ...begin]))
    go()
    for (let count = 0; count < answers; count += 1) assert.equal(await ask(), 200)
    if (!flooding.closed) await once(flooding, "close")
    assert.equal(await ask(), 200)
    assert.deepEqual(library.observed, observed)
  })

test("many bodies as big as allowed on one connection are no flood", async (t) => {
  const limit = 262_144
  const library = await openLibrary(t, { h2c: true, bodyLimit: limit })
  const session = connect(library.url)
  t.after(() => session.destroy())
  const body = JSON.stringify({ title: "x".repeat(limit - 100) })
  const send = async (): Promise<number> => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/books",
      "content-type": "application/json",
    })
    stream.end(body)
    const answered = once(stream.resume(), "response")
    const cut = once(stream, "close").then(() => [{ ":status": 0 }])
    const [got] = await Promise.race([answered, cut])
    return Number(got[":status"])
  }
  // More bytes than a connection may send beside its requests, however long they take.
  const statuses: number[] = []
  for (let round = 0; round < 8; round += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 16 }, send))))
  assert.ok(
    statuses.every((status) => status >= 200 && status < 500 && status !== 413),
    String(statuses[0]),
  )
  assert.deepEqual(library.observed, [])
})
