// A problem of user code is held against its form where it is made: no client is told half of one.
import assert from "node:assert/strict"
import { test } from "node:test"
import { problem } from "../../src/index.ts"

type Given = Parameters<typeof problem>

test("a problem has a code of its own, a message, and a place in the input", () => {
  const { problems } = problem("conflict", "No.", { place: ["lines", 0, "quantity"], hint: "Less." })
  assert.deepEqual(problems, [
    { code: "conflict", message: "No.", place: ["lines", 0, "quantity"], hint: "Less." },
  ])
  for (const [given, wrong] of [
    [["internal", "No."], /one of conflict, invalid_value/],
    [["toString", "No."], /one of conflict, invalid_value/],
    [["conflict"], /The message of a problem is a sentence, not undefined/],
    [["conflict", " "], /The message of a problem is a sentence/],
    [["conflict", { text: "No." }], /The message of a problem is a sentence/],
    [["conflict", "No.", { place: "code" }], /a list such as \["code"\], not "code"/],
    [["conflict", "No.", { place: ["lines", 0.5] }], /a list such as/],
    [["conflict", "No.", { place: [{ name: "code" }] }], /a list such as/],
    [["conflict", "No.", { hint: 1 }], /The hint of a problem is a text, not 1/],
  ] as const)
    assert.throws(() => problem(...(given as unknown as Given)), { name: "TypeError", message: wrong })
})
