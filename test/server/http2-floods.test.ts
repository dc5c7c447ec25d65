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

/** The frames before the flood, and the one that it repeats. The server does not answer a WINDOW_UPDATE. */
const floods = {
  PING: { begin: [], frame: ping, isEnded: true },
  SETTINGS: { begin: [], frame: settings, isEnded: true },
  "empty DATA": { begin: [headers(1, fields)], frame: data(1, ""), isEnded: true },
  "empty CONTINUATION": { begin: [headers(1, fields, "begun")], frame: continuation(1), isEnded: true },
  "WINDOW_UPDATE of a connection": { begin: [], frame: window(0), isEnded: false },
  "WINDOW_UPDATE of a stream": { begin: [headers(1, fields)], frame: window(1), isEnded: false },
} as const

function otherOf(t: TestContext, { url }: Library): () => Promise<number> {
  const session = connect(url).on("error", () => {})
  t.after(() => session.destroy())
  return async () => {
    const [got] = await once(session.request({ ":path": "/books/1" }).resume(), "response")
    return Number(got[":status"])
  }
}

for (const [name, { begin, frame, isEnded }] of Object.entries(floods))
  test(`a flood of ${name} ${isEnded ? "ends its connection" : "is taken in turns"}, and others are answered`, async (t) => {
    const library = await openLibrary(t, { h2c: true })
    const ask = otherOf(t, library)
    const flooding = await dial(library.port)
    t.after(() => flooding.destroy())
    flooding.resume()
    const bytes = Buffer.concat(
      Array.from({ length: Math.floor(portion / frame.length) }, () => frame as Buffer),
    )
    let written = 0
    const go = (): void => {
      if (flooding.destroyed) return
      flooding.write(bytes, () => {
        written += 1
        setImmediate(go)
      })
    }
    flooding.write(Buffer.concat([opening, ...begin]))
    go()
    for (let count = 0; count < answers; count += 1) {
      const before = written
      assert.equal(await ask(), 200)
      // The flood goes on between two answers.
      while (!isEnded && written === before) await new Promise((resolve) => setImmediate(resolve))
    }
    if (isEnded && !flooding.closed) await once(flooding, "close")
    assert.equal(flooding.destroyed, isEnded)
    assert.equal(await ask(), 200)
    assert.deepEqual(library.observed, [])
  })
