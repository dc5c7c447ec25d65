import assert from "node:assert/strict"
import { createHash, createHmac } from "node:crypto"
import { test } from "node:test"
import fc from "fast-check"
import { createCursors, cursorScope } from "../../src/plan/draft/cursor.ts"
import { readOrder } from "../../src/plan/read/order.ts"
import { cursors, newDraft, shop, shopResource } from "./shop.ts"

test("a cursor gives back what was sealed, in its scope only", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.string(), fc.string(), (values, scope, other) => {
      const json = JSON.stringify(values)
      const text = cursors.seal(scope, json)
      assert.match(text, /^[A-Za-z0-9_-]+$/)
      assert.equal(JSON.stringify(cursors.open(scope, text)), json)
      if (other !== scope) assert.equal(cursors.open(other, text), undefined)
    }),
    { numRuns: 200 },
  )
})

test("no single changed, added or removed character goes unnoticed", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n\u0000é"
  for (const json of ["[1]", "[12]", "[123]", '["2026-11-01T00:00:00Z",["42"]]']) {
    const text = cursors.seal("scope", json)
    for (let at = 0; at <= text.length; at++) {
      for (const character of alphabet) {
        const changed = text.slice(0, at) + character + text.slice(at + 1)
        if (changed !== text) assert.equal(cursors.open("scope", changed), undefined)
        const added = text.slice(0, at) + character + text.slice(at)
        assert.equal(cursors.open("scope", added), undefined)
      }
      if (at < text.length)
        assert.equal(cursors.open("scope", text.slice(0, at) + text.slice(at + 1)), undefined)
    }
  }
})

test("the seal is HMAC-SHA256 as Node has it, for secrets of any length", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.string(), fc.json(), (secret, scope, json) => {
      const text = createCursors(secret).seal(scope, json)
      const key = createHash("sha256").update(secret).digest("hex")
      const payload = Buffer.from(json).toString("base64url")
      const mac = createHmac("sha256", key).update(`bifold cursor 2 ${scope.length} ${scope}${payload}`)
      assert.equal(text, mac.digest("base64url").slice(0, 22) + payload)
    }),
    { numRuns: 500 },
  )
})

test("text that is no cursor at all is refused", () => {
  for (const text of ["", "abc", "!", "\u0000", "a".repeat(100_000), "é", "A".repeat(22)]) {
    assert.equal(cursors.open("scope", text), undefined)
  }
})

test("scope and payload cannot be shifted into each other", () => {
  const payload = Buffer.from("[1]").toString("base64url")
  const sealed = cursors.seal(`scope${payload.slice(0, 1)}`, "[1]")
  assert.equal(cursors.open("scope", sealed.slice(0, 22) + payload.slice(0, 1) + sealed.slice(22)), undefined)
})

test("another secret opens nothing", () => {
  assert.equal(createCursors("other").open("scope", cursors.seal("scope", "[1]")), undefined)
})

test("the scope is the resource and the order", () => {
  const scopeOf = (resource: string, ...order: Parameters<typeof readOrder>[2]) =>
    cursorScope(shop, shopResource(resource), readOrder(newDraft(), shopResource(resource), order, []))
  const scopes = [
    scopeOf("order"),
    scopeOf("customer"),
    scopeOf("order", { path: [], name: "note" }),
    scopeOf("order", { path: [], name: "note", nulls: "first" }),
    scopeOf("order", { path: [], name: "note", descending: true }),
    scopeOf("order", { path: ["customer"], name: "name" }),
  ]
  assert.equal(new Set(scopes).size, scopes.length)
  assert.equal(scopeOf("order"), scopeOf("order", { path: [], name: "id" }))
})
