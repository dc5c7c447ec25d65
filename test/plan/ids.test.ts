import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { readId, splitGlobalId } from "../../src/plan/values/ids.ts"
import { shop, shopResource } from "./shop.ts"

const order = shopResource("order")
const line = shopResource("line")
const customer = shopResource("customer")

test("a bare id and a global id name the same key", () => {
  assert.deepEqual(readId(order, "42"), [42n])
  assert.deepEqual(readId(order, "ord_42"), [42n])
  assert.deepEqual(readId(customer, "cus_01h"), ["01h"])
  assert.deepEqual(readId(line, "lin_7~a%7Eb%25"), [7n, "a~b%"])
  assert.deepEqual(readId(line, "-7~"), [-7n, ""])
})

test("a text that cannot be a key of the resource names none", () => {
  for (const text of [
    "abc",
    "042",
    "-0",
    "",
    "1.0",
    "1e2",
    " 1",
    "cus_1",
    "9223372036854775808",
    "1~2",
    "ord_ord_1",
  ]) {
    assert.equal(readId(order, text), undefined, text)
  }
  for (const text of ["7", "7~a~b", "a~7", "7~%", "7~%7e", "7~%41", "7~\u0000", "7~\ud800"]) {
    assert.equal(readId(line, text), undefined, text)
  }
  assert.equal(readId(shopResource("visit"), "1"), undefined)
})

test("a global id says whose it is", () => {
  assert.deepEqual(splitGlobalId(shop, "ord_42"), { resource: order, key: [42n] })
  assert.deepEqual(splitGlobalId(shop, "ord_x"), { resource: order, key: undefined })
  assert.deepEqual(splitGlobalId(shop, "cus_a_b")?.key, ["a_b"])
  for (const text of ["42", "", "_", "nobody_1", "visit_1"])
    assert.equal(splitGlobalId(shop, text), undefined, text)
})

test("an id has one spelling: what is read and written again is the same text", () => {
  const escaped = (text: string) => text.replaceAll("%", "%25").replaceAll("~", "%7E")
  const part = fc.string({ unit: fc.constantFrom("%", "~", "2", "5", "7", "E", "a", "_") })
  fc.assert(fc.property(part, (text) => assert.deepEqual(readId(line, `1~${escaped(text)}`), [1n, text])))
  fc.assert(
    fc.property(part, (text) => {
      const key = readId(line, `1~${text}`)
      if (key) assert.equal(`1~${escape(String(key[1]))}`, `1~${text}`)
    }),
  )
})
