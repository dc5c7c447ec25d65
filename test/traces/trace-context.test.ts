// `traceparent` and `tracestate` as W3C Trace Context has them: what is taken, and what is ignored.
import assert from "node:assert/strict"
import { test } from "node:test"
import { readTraceparent, readTracestate, traceparentOf } from "../../src/base/tracing.ts"

const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
const span = "00f067aa0ba902b7"

test("a traceparent is read with the flags that are known", () => {
  const read = (flags: string) => readTraceparent(`00-${trace}-${span}-${flags}`)
  assert.deepEqual(read("01"), { traceId: trace, spanId: span, flags: 1 })
  assert.deepEqual(read("00"), { traceId: trace, spanId: span, flags: 0 })
  assert.deepEqual(read("ff"), { traceId: trace, spanId: span, flags: 3 })
  const later = readTraceparent(`cc-${trace}-${span}-09-what-comes-later`)
  assert.deepEqual(later, { traceId: trace, spanId: span, flags: 1 })
  assert.equal(later && traceparentOf(later), `00-${trace}-${span}-01`)
  assert.deepEqual(readTraceparent(`cc-${trace}-${span}-01`), { traceId: trace, spanId: span, flags: 1 })
})

test("a malformed traceparent is ignored", () => {
  const malformed = [
    "",
    "00",
    `00-${trace}-${span}`,
    `00-${trace}-${span}-1`,
    `00-${trace}-${span}-01-`,
    `00-${trace}-${span}-01-more`,
    `cc-${trace}-${span}-01.more`,
    `ff-${trace}-${span}-01`,
    `0-${trace}-${span}-01`,
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-0G`,
    `00-${trace.slice(1)}g-${span}-01`,
    `00-${trace}0-${span}-01`,
    ` 00-${trace}-${span}-01`,
    `00-${trace}-${span}-01\n`,
    `00_${trace}_${span}_01`,
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  ]
  for (const text of malformed) assert.equal(readTraceparent(text), undefined, JSON.stringify(text))
  assert.equal(readTraceparent(undefined), undefined)
  assert.equal(readTraceparent(null), undefined)
})

test("a tracestate is taken as a whole or not at all", () => {
  assert.equal(readTracestate("a=1,b=2"), "a=1,b=2")
  assert.equal(readTracestate(" a=1 ,\t, fw529a3039@dt=FfAx "), "a=1,fw529a3039@dt=FfAx")
  const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=v`).join(",")
  assert.equal(readTracestate(many(32)), many(32))
  const malformed = [
    "",
    ",",
    "a",
    "a=",
    "=1",
    "A=1",
    "a=1=2",
    "a=1,a=2",
    "a=é",
    `${"k".repeat(257)}=1`,
    many(33),
  ]
  for (const text of malformed) assert.equal(readTracestate(text), undefined, JSON.stringify(text))
  assert.equal(readTracestate(undefined), undefined)
})
