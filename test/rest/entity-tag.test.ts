// Entity tags: equal for equal bytes in whatever pieces, different for others, of the same secret only where it counts.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Json } from "../../src/base/json.ts"
import { createEntityTag } from "../../src/rest/http/respond.ts"

const tag = createEntityTag("a secret")
const form = /^"[\w-]{27}"$/
const sizes = { short: 1_000, long: 200_000 }

const cut = (bytes: Buffer, ...at: readonly number[]): Json =>
  [0, ...at].map((begin, index) => bytes.subarray(begin, at[index]))

for (const [title, size] of Object.entries(sizes))
  describe(`the tag of a ${title} body`, () => {
    const text = `{"data":["${"é€x".repeat(size / 6)}"]}`
    const bytes = Buffer.from(text)

    test("is the same of text, bytes and pieces", () => {
      assert.match(tag(text), form)
      for (const body of [bytes, [bytes], cut(bytes, 1, 17, 18, size - 7)]) assert.equal(tag(body), tag(text))
    })

    test("is another one when a byte is, wherever it stands, or when there is one more or less", () => {
      const tags = new Set([
        tag(bytes),
        tag(bytes.subarray(1)),
        tag(Buffer.concat([bytes, Buffer.from(" ")])),
      ])
      for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 200)) {
        const other = Buffer.from(bytes)
        other[at] = (other[at] ?? 0) ^ 1
        tags.add(tag(other))
      }
      assert.equal(tags.size, 3 + Math.ceil(bytes.length / Math.ceil(bytes.length / 200)))
    })

    test("begins with the version, if there is one", () => {
      assert.equal(tag(text, "7"), `"7.${tag(text).slice(1)}`)
      assert.equal(tag(text, null), tag(text))
    })
  })

test("tags of long bodies are a secret's own, so that nobody can make two bodies of one tag", () => {
  const body = Buffer.alloc(sizes.long, "x")
  assert.equal(createEntityTag("a secret")(body), tag(body))
  const others = [createEntityTag("another secret"), createEntityTag()].map((of) => of(body))
  assert.equal(new Set([tag(body), ...others]).size, 3)
})
