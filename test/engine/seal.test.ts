// Cursors are sealed among bytes as they are among text, and a long answer is not copied for them.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { piecesOf, textOf } from "../../src/base/json.ts"
import { signCursors } from "../../src/engine/assemble.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { cursorBegin, cursorEnd } from "../../src/plan/placeholders.ts"

const cursors = createCursors("a secret")
const scopes = ["here", "there"]
const marked = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `"ë":${cursorBegin}${index % 2}[${index},"naïve €"]${cursorEnd}`,
  ).join()
/** Of so many bytes a copy takes longer than what is put in by itself. */
const filling = " ".repeat(65_536)

describe("sealing", () => {
  for (const count of [0, 1, 2, 7, 8, 9, 500])
    for (const [size, rest] of Object.entries({ short: "", long: filling }))
      it(`gives ${count} cursors of a ${size} answer the same in bytes and in text`, () => {
        const text = `{${marked(count)}${rest}}`
        const sealed = signCursors(Buffer.from(text), scopes, cursors)
        assert.equal(textOf(sealed), signCursors(text, scopes, cursors))
        assert.equal(textOf(sealed).split('"ë"').length - 1, count)
      })

  it("leaves what is between a few cursors of a long answer where it is, and makes one of many pieces", () => {
    const bytes = Buffer.from(`{${marked(2)}${filling}}`)
    const [first, ...more] = piecesOf(signCursors(bytes, scopes, cursors) as readonly Buffer[])
    assert.equal(first?.buffer, bytes.buffer)
    assert.equal(more.length, 4)
    const many = Buffer.from(marked(500) + filling)
    assert.equal(piecesOf(signCursors(many, scopes, cursors) as readonly Buffer[]).length, 1)
  })

  it("leaves the marks of what is computed later as they are, whatever they hold", () => {
    const text = `{"x":${cursorBegin}c order.total ["naïve €"]${cursorEnd}}`
    assert.equal(textOf(signCursors(Buffer.from(text), scopes, cursors)), text)
  })
})
