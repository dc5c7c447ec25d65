// What user code throws is told, whatever it is.
import assert from "node:assert/strict"
import { it } from "node:test"
import { thrownMessage, thrownTrace } from "../../src/base/thrown.ts"

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error("of a trap")
    },
  },
)

for (const [thrown, told] of [
  [undefined, "undefined"],
  [null, "null"],
  [{ code: 5, why: "full" }, "{ code: 5, why: 'full' }"],
  [
    { toString: () => "mine", list: [1, { two: 2 }] },
    "{ toString: [Function: toString], list: [ 1, { two: 2 } ] }",
  ],
  [hostile, "{}"],
  ["a text", "a text"],
  [new Error("of mine"), "of mine"],
] as const)
  it(`tells ${told}`, () => assert.equal(thrownMessage(thrown), told))

it("tells no more than 1,000 characters of a message, and where it came from", () => {
  const error = new Error("B".repeat(5_000_000))
  assert.equal(thrownMessage(error), `${"B".repeat(1_000)}…`)
  const trace = thrownTrace(error)
  assert.match(trace, /^Error: B+…\n +at .*thrown\.test\.ts/)
  assert.ok(trace.length < 10_000)
})
