// Cursors are sealed among bytes as they are among text, and a long answer is not copied for them.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { piecesOf, textOf } from "../../src/base/json.ts"
import { sealCursors } from "../../src/engine/seal.ts"
import { createCursors } from "../../src/plan/cursor.ts"
import { cursorBegin, cursorEnd } from "../../src/plan/marks.ts"

const cursors = createCursors("a secret")
const scopes = ["here", "there"]
const marked = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"ë":${cursorBegin}${index % 2}[${index}]${cursorEnd}`).join()

describe("sealing", () => {
  for (const count of [0, 1, 2, 7, 8, 9, 500])
    it(`gives ${count} cursors the same in bytes and in text`, () => {
      const text = `{${marked(count)}}`
      const sealed = sealCursors(Buffer.from(text), scopes, cursors)
      assert.equal(textOf(sealed), sealCursors(text, scopes, cursors))
      assert.equal(textOf(sealed).split('"ë"').length - 1, count)
    })

  it("leaves what is between a few cursors where it is, and makes one of many pieces", () => {
    const bytes = Buffer.from(`{${marked(2)}}`)
    const [first] = piecesOf(sealCursors(bytes, scopes, cursors) as readonly Buffer[])
    assert.equal(first?.buffer, bytes.buffer)
    assert.equal(
      piecesOf(sealCursors(Buffer.from(marked(500)), scopes, cursors) as readonly Buffer[]).length,
      1,
    )
  })
})
