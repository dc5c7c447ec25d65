// JSON of clients: what is written twice is found, however it is written.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { parseStrict } from "../../src/http/strict-json.ts"

const repeats = (text: string): boolean => {
  const read = parseStrict(text)
  return "wellFormed" in read && read.wellFormed
}

test("a member that is given twice is found", () => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a" :1,"a" : 2}',
    '{"a":":","a":1}',
    '{"a":{"b":1,"b":2}}',
    '[{"a":1},{"a":1,"a":":"}]',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"a":"\\u003a"}',
    '{"a":1,"a":{"\\u003A":2}}',
  ])
    assert.ok(repeats(text), text)
})

test("whatever JSON.stringify writes is read as it was, with colons in its texts or not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      assert.ok(!repeats(text), text)
      assert.deepEqual(parseStrict(text), { value: JSON.parse(text) })
    }),
    { numRuns: 500 },
  )
})

test("colons in names and texts, escaped or not, hide nothing", () => {
  const piece = fc
    .array(fc.constantFrom(":", "\\u003a", "\\u003A", "a"), { maxLength: 3 })
    .map((parts) => `"${parts.join("")}"`)
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, piece), { maxLength: 5 }), (members) => {
      const text = `{${members.map(([name, value]) => `${name}:${value}`).join()}}`
      const names = members.map(([name]) => JSON.parse(name) as string)
      assert.equal(repeats(text), new Set(names).size < names.length, text)
    }),
    { numRuns: 1_000 },
  )
})
