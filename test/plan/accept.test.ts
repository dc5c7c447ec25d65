// Values to be stored: what a declaration allows is taken as it is, anything else is refused, with the sentence that says so.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { Constraints } from "../../src/model/bounds.ts"
import { type ScalarName, scalars, type ValueType } from "../../src/model/scalars.ts"
import { wrongValue } from "../../src/model/validation/wrong-value.ts"
import { acceptValue } from "../../src/plan/values/coerce-input.ts"
import { readValue } from "../../src/plan/values/values.ts"
import { generated, money } from "./generated-values.ts"

type Rest = Partial<ValueType> & { readonly limits?: Constraints }

const typeOf = (scalar: ScalarName, { limits = {}, ...rest }: Rest = {}): ValueType => ({
  scalar,
  list: false,
  constraints: limits,
  ...rest,
})

const accept = (type: ValueType, input: unknown): unknown => {
  const result = acceptValue(type, input, "json")
  return result.ok ? result.value : result.wrong
}

const size = (min?: number, max?: number): Rest => ({
  limits: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) },
})
const list = (limits: Constraints = {}): Rest => ({ list: true, limits })

const accepted: readonly (readonly [ScalarName, unknown, unknown, Rest?])[] = [
  ["text", "", ""],
  ["text", "😀é", "😀é", size(2, 2)],
  ["text", "e\u0301", "e\u0301", size(2, 2)],
  ["text", "AB1234", "AB1234", { limits: { pattern: "[A-Z]{2}[0-9]{4}" } }],
  ["text", "anything", "anything", size()],
  ["email", "a@b.org", "a@b.org", size(1, 7)],
  ["url", "HTTPS://Example.ORG:443/a/../b", "HTTPS://Example.ORG:443/a/../b"],
  ["slug", "a-b", "a-b", size(3)],
  ["integer", -1, -1, size(-1, 5)],
  ["integer", 5, 5, size(-1, 5)],
  ["int64", "9007199254740993", 9007199254740993n, size(9007199254740992)],
  ["float", 0.1, 0.1, size(0.1, 0.1)],
  ["decimal", "0.1", "0.10", { limits: { ...money, min: 0.1, max: 0.1 } }],
  ["decimal", "99999.99", "99999.99", { limits: { ...money, max: 99999.99 } }],
  ["decimal", "0.0000001", "0.0000001", size(1e-7)],
  ["decimal", `1${"0".repeat(25)}`, `1${"0".repeat(25)}`, size(1e25, 1e25)],
  ["text", ["a", "bb"], ["a", "bb"], list({ min: 2, max: 2, items: { min: 1, max: 2 } })],
  ["text", ["AB", "CD"], ["AB", "CD"], list({ max: 2, pattern: "[A-Z]+" })],
  ["decimal", ["1.5"], ["1.50"], list({ ...money, items: { max: 2 } })],
  ["bytes", "AAH/", "AAH/", size(3, 3)],
  ["json", { b: 1, a: [null] }, '{"b":1,"a":[null]}'],
  ["json", "x".repeat(1024 * 1024 - 2), JSON.stringify("x".repeat(1024 * 1024 - 2))],
  ["oneOf", "paid", "paid", { values: ["cart", "paid"] }],
  ["decimal", "12345678901234.5", "12345678901234.5", { stored: "loose" }],
  ["decimal", "9223372036854775807", "9223372036854775807", { stored: "loose" }],
  ["json", 0.5, "0.5", { stored: "loose" }],
  ["json", [0.12345678901234568], "[0.12345678901234568]", { stored: "loose" }],
  ["text", "007", "007"],
  ["text", "42", "42", { stored: "cast" }],
  ["text", "4 2", "4 2", { stored: "cast" }],
]

const refused: readonly (readonly [ScalarName, unknown, string, Rest?])[] = [
  ["text", 1, "must be text, not 1"],
  ["text", "a\u0000", "must be text without U+0000 and without lone surrogates"],
  ["text", "abcd", "must be at most 3 characters long, not 4", size(undefined, 3)],
  ["text", "", "must be at least 1 character long, not 0", size(1)],
  ["text", "😀", "must be 2 to 5 characters long, not 1", size(2, 5)],
  ["email", "a@example.org", "must be 1 to 7 characters long, not 13", size(1, 7)],
  ["text", "ab", 'must match the pattern [A-Z]{2}, not "ab"', { limits: { pattern: "[A-Z]{2}" } }],
  ["text", "AB\n", 'must match the pattern [A-Z]{2}, not "AB\\n"', { limits: { pattern: "[A-Z]{2}" } }],
  [
    "text",
    "a".repeat(400_000),
    "must be at most 333333 characters long for its pattern, not 400000",
    { limits: { pattern: "a*" } },
  ],
  ["integer", 6, "must be at most 5, not 6", size(undefined, 5)],
  ["integer", -2, "must be -1 to 5, not -2", size(-1, 5)],
  ["int64", "9007199254740991", "must be at least 9007199254740992, not 9007199254740991", size(2 ** 53)],
  [
    "int64",
    "9007199254740993",
    "must be at most 9007199254740992, not 9007199254740993",
    size(undefined, 2 ** 53),
  ],
  ["float", 0.10000000000000002, "must be at most 0.1, not 0.10000000000000002", size(undefined, 0.1)],
  ["decimal", "0.09", "must be at least 0.1, not 0.09", { limits: { ...money, min: 0.1 } }],
  ["decimal", "-0.0000001", "must be at least 0, not -0.0000001", size(0)],
  [
    "decimal",
    "0.10000000000000000000001",
    "must be at most 0.1, not 0.10000000000000000000001",
    size(undefined, 0.1),
  ],
  ["text", ["a"], "must have 2 to 3 items, not 1", list({ min: 2, max: 3 })],
  ["text", ["a", "b"], "must have at most 1 item, not 2", list({ max: 1 })],
  ["text", ["a", "bcd"], "must be at most 2 characters long, not 3 (item 2)", list({ items: { max: 2 } })],
  ["text", ["AB", "cd"], 'must match the pattern [A-Z]+, not "cd" (item 2)', list({ pattern: "[A-Z]+" })],
  ["decimal", ["2.5"], "must be at most 2, not 2.50 (item 1)", list({ ...money, items: { max: 2 } })],
  ["bytes", "AAH/", "must be at most 2 bytes long, not 3", size(undefined, 2)],
  ["json", "é".repeat(1024 * 512), "must be at most 1048576 bytes of JSON text, not 1048578"],
  ["oneOf", "gone", 'must be one of "cart", "paid", not "gone"', { values: ["cart", "paid"] }],
  [
    "decimal",
    "1234567890123.456",
    'must be a decimal of at most 15 digits, the most that the column keeps, not "1234567890123.456"',
    { stored: "loose" },
  ],
  [
    "decimal",
    "78712630577515.91",
    'must be a decimal of at most 15 digits, the most that the column keeps, not "78712630577515.91"',
    { stored: "loose", limits: { precision: 30, scale: 2 } },
  ],
  [
    "decimal",
    "9223372036854775808",
    'must be a decimal of at most 15 digits, the most that the column keeps, not "9223372036854775808"',
    { stored: "loose" },
  ],
  [
    "json",
    0.12345678901234568,
    "must be JSON that the column keeps: a bare number has at most 15 digits there, not 0.12345678901234568",
    { stored: "loose" },
  ],
  ...["007", "1.50", " 1", "1e3", ".5", "+5"].map((text): (typeof refused)[number] => [
    "text",
    text,
    `must be text that does not look like a number, which the column would change, not ${JSON.stringify(text)}`,
    { stored: "cast" },
  ]),
]

test("what the declaration allows is accepted in its canonical form", () => {
  for (const [scalar, input, value, rest] of accepted)
    assert.deepEqual(accept(typeOf(scalar, rest), input), value, `${scalar} ${shownShort(input)}`)
})

test("anything else is refused with the first thing that is wrong", () => {
  for (const [scalar, input, wrong, rest] of refused)
    assert.deepEqual(
      acceptValue(typeOf(scalar, rest), input, "json"),
      { ok: false, wrong },
      `${scalar} ${shownShort(input)}`,
    )
})

const shownShort = (input: unknown): string => JSON.stringify(input).slice(0, 80)

for (const scalar of Object.keys(scalars) as ScalarName[]) {
  const { good, bad } = generated[scalar]
  const values = scalar === "oneOf" ? { values: ["cart", "paid"] } : {}

  test(`any ${scalar} within its limits is accepted as it is read, alone and in a list`, () => {
    fc.assert(
      fc.property(good, ([input, limits]) => {
        const type = typeOf(scalar, { limits, ...values })
        const read = readValue(type, input, "json")
        assert.ok(read.ok)
        assert.deepEqual(acceptValue(type, input, "json"), read)
        const { min, max, ...shape } = limits
        const items = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
        const listed = typeOf(scalar, { list: true, limits: { ...shape, max: 2, items }, ...values })
        assert.deepEqual(accept(listed, [input, input]), [read.value, read.value])
        assert.equal(accept(listed, [input, input, input]), "must have at most 2 items, not 3")
      }),
      { numRuns: 200 },
    )
  })

  test(`any ${scalar} beyond its limits is refused, alone and in a list`, () => {
    fc.assert(
      fc.property(bad, ([input, limits]) => {
        assert.ok(!acceptValue(typeOf(scalar, { limits, ...values }), input, "json").ok)
        const { min, max, ...shape } = limits
        const items = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
        const listed = typeOf(scalar, { list: true, limits: { ...shape, items }, ...values })
        assert.match(String(accept(listed, [input])), /^must .* \(item 1\)$/)
      }),
      { numRuns: 200 },
    )
  })
}

/** Close to the form of a scalar, and not of it. */
const almost: readonly unknown[] = [
  "2026-11-01T09:30Z",
  "2026-11-01 09:30:00Z",
  "9999-12-31T23:59:59-01:00",
  "2026-02-30",
  "24:00:00",
  "AB==",
  "AAA",
  " https://example.org/",
  "https://example.org/a b",
  "0000-01-01",
  "a\u0000",
  "1e3",
  "-0",
  2 ** 53,
  [[2 ** 60]],
]

test("a declaration may hold a constant only where a client may send it", () => {
  const service = { name: "constants", resources: {} }
  let taken = 0
  for (const scalar of Object.keys(scalars) as ScalarName[]) {
    const values = scalar === "oneOf" ? { values: ["cart", "paid"] } : {}
    const inputs = fc.sample(fc.oneof(generated[scalar].good, generated[scalar].bad), {
      numRuns: 200,
      seed: 1,
    })
    for (const input of [...almost, ...inputs.map(([given]) => given)]) {
      const field = { scalar, ...(scalar === "oneOf" && { of: ["cart", "paid"] as const }) }
      if (wrongValue(service, field, input) !== undefined) continue
      taken += 1
      assert.ok(acceptValue(typeOf(scalar, values), input, "json").ok, `${scalar} ${shownShort(input)}`)
    }
  }
  assert.ok(taken > 1_500, `${taken} constants`)
})
