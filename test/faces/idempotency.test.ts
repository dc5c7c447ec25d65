// The header Idempotency-Key: which keys there are, and when two requests are the same.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { readIdempotency } from "../../src/http/idempotency.ts"
import { everybodyOf } from "../../src/plan/access/actor.ts"
import { ledger } from "../services/ledger.ts"
import { loadOpen } from "../support/everybody.ts"

const open = everybodyOf(loadOpen(ledger))
const of = (headers: Readonly<Record<string, string>>) => ({ headers, actor: open })

const keyOf = (header: string): string | undefined =>
  readIdempotency(of({ "idempotency-key": header }), () => [])?.key

test("a key is visible ASCII, with or without quotes around it", () => {
  for (const [header, key] of [
    ["8e03978e-40d5-43e8-bc93-6894a57f9324", "8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ['"8e03978e-40d5"', "8e03978e-40d5"],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ["!", "!"],
    ["  a  ", "a"],
    ["x".repeat(255), "x".repeat(255)],
  ] as const)
    assert.equal(keyOf(header), key)
})

test("no header is no key", () => {
  assert.equal(
    readIdempotency(of({}), () => ["POST"]),
    undefined,
  )
})

for (const [what, header] of [
  ["an empty one", ""],
  ["an empty one in quotes", '""'],
  ["one with a space", "a b"],
  ["one with a space in quotes", '"a b"'],
  ["two", '"a", "b"'],
  ["one with an open quote", '"a'],
  ["one with parameters", '"a";b=1'],
  ["one with an escape that there is not", '"a\\n"'],
  ["one beyond ASCII", "schlüssel"],
  ["one that is too long", "x".repeat(256)],
] as const)
  test(`${what} is refused`, () => {
    assert.throws(
      () => keyOf(header),
      (error) => error instanceof Refusal && error.problems[0].code === "invalid_idempotency_key",
    )
  })

test("requests are the same when all their parts are", () => {
  const printed = [["a", "b"], ["a", "c"], ["ab"], ["a", "b", ""], ["a", "b", undefined], ["", "ab"], ["1:a"]]
  const prints = printed.map(
    (parts) => readIdempotency(of({ "idempotency-key": "k" }), () => parts)?.fingerprint,
  )
  assert.equal(new Set(prints).size, printed.length)
  const bytes = readIdempotency(of({ "idempotency-key": "other" }), () => [Buffer.from("a"), "b"])
  assert.equal(bytes?.fingerprint, prints[0])
})
