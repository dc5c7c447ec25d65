// JSON on its way out is the same bytes, whether it is text, bytes or pieces of both.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { joinJson, sizeOf, textOf } from "../../src/base/json.ts"

describe("JSON on its way out", () => {
  const long = Buffer.from('[{"name":"Zoë"}]')

  it("stays text where all of it is text", () => {
    assert.equal(joinJson(['{"a":', "1", "}"]), '{"a":1}')
  })

  it("is not copied where a part of it is bytes", () => {
    const joined = joinJson(['{"é":', long, ',"b":', [long, Buffer.from("")], "}"])
    const text = `{"é":${long},"b":${long}}`
    assert.equal(textOf(joined), text)
    assert.equal(sizeOf(joined), Buffer.byteLength(text))
    assert.ok(Array.isArray(joined))
    assert.equal(joined.filter((piece) => piece === long).length, 2, "the same bytes, not others like them")
  })

  it("has the size of its bytes, not of its letters", () => {
    assert.equal(sizeOf("Zoë"), 4)
    assert.equal(sizeOf(Buffer.from("Zoë")), 4)
    assert.equal(sizeOf([Buffer.from("Zo"), Buffer.from("ë")]), 4)
  })
})
