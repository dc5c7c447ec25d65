// Values to be stored: what a declaration allows is taken as it is, anything else is refused, with the sentence that says so.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { Constraints } from "../../src/model/model.ts"
import { type ScalarName, scalars } from "../../src/model/scalars.ts"
import { acceptValue } from "../../src/plan/accept.ts"
import { readValue, type ValueType } from "../../src/plan/values.ts"

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
const money: Constraints = { precision: 7, scale: 2 }

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
    'must be a decimal of at most 15 digits, which is what the column keeps, not "1234567890123.456"',
    { stored: "loose" },
  ],
  [
    "decimal",
    "9223372036854775808",
    'must be a decimal of at most 15 digits, which is what the column keeps, not "9223372036854775808"',
    { stored: "loose" },
  ],
  [
    "json",
    0.12345678901234568,
    "must be JSON that the column keeps: a number by itself has at most 15 digits there, not 0.12345678901234568",
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

// Generated values: good ones of every scalar within limits, and the same with one thing wrong.

interface Generated {
  readonly good: fc.Arbitrary<readonly [input: unknown, limits: Constraints]>
  readonly bad: fc.Arbitrary<readonly [input: unknown, limits: Constraints]>
}

const wellFormed = fc
  .string({ unit: "binary" })
  .filter((text) => !text.includes("\u0000") && text.isWellFormed())
const count = (text: string): number => [...text].length
const distance = fc.integer({ min: 1, max: 1_000 })
const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0")
const day = fc
  .date({ min: new Date("0002-01-01"), max: new Date("9998-12-31"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => parts.map((part) => pad(part)).join(":"))
const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)

const without =
  (limits: Constraints = {}) =>
  (input: unknown): readonly [unknown, Constraints] => [input, limits]

function sized(texts: fc.Arbitrary<string>, length: (text: string) => number): Generated {
  return {
    good: fc
      .tuple(texts, distance, distance)
      .map(([text, below, above]) => [
        text,
        { min: Math.max(0, length(text) - below + 1), max: length(text) + above - 1 },
      ]),
    bad: fc
      .tuple(texts, distance, fc.boolean())
      .map(([text, by, above]) =>
        above && length(text) > 0
          ? [text, { max: Math.max(0, length(text) - by) }]
          : [text, { min: length(text) + by }],
      ),
  }
}

/** Limits around the number itself, by steps that doubles hold exactly. */
const around = (input: unknown, number: number, by: number): readonly [unknown, Constraints] => [
  input,
  { min: number - by, max: number + by },
]
const beside = (input: unknown, number: number, by: number): readonly [unknown, Constraints] => [
  input,
  by % 2 === 0 ? { min: number + by } : { max: number - by },
]

function numeric(numbers: fc.Arbitrary<number>, written: (number: number) => unknown): Generated {
  const pairs = fc.tuple(numbers, distance)
  return {
    good: pairs.map(([number, by]) => around(written(number), number, by)),
    bad: pairs.map(([number, by]) => beside(written(number), number, by)),
  }
}

const scaled = (number: number): string =>
  `${number < 0 ? "-" : ""}${Math.floor(Math.abs(number) / 100)}.${pad(Math.abs(number) % 100)}`

const generated: Readonly<Record<ScalarName, Generated>> = {
  text: sized(wellFormed, count),
  email: sized(
    fc.tuple(word, word).map(([name, host]) => `${name}@${host}.org`),
    count,
  ),
  url: sized(
    word.map((path) => `https://example.org/${path}?q=ü`),
    count,
  ),
  slug: sized(
    fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("-")),
    count,
  ),
  bytes: sized(
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64")),
    (text) => Buffer.from(text, "base64").length,
  ),
  integer: numeric(fc.integer(), (number) => number),
  int64: numeric(
    fc.maxSafeInteger().map((number) => Math.trunc(number / 2)),
    String,
  ),
  float: numeric(
    fc.integer().map((number) => number / 4),
    (number) => number,
  ),
  decimal: {
    good: fc
      .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), distance)
      .map(([number, by]) => [
        scaled(number),
        { ...money, min: (number - by) / 100, max: (number + by) / 100 },
      ]),
    bad: fc
      .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), distance)
      .map(([number, by]) => [
        scaled(number),
        by % 2 === 0 ? { ...money, min: (number + by) / 100 } : { ...money, max: (number - by) / 100 },
      ]),
  },
  boolean: { good: fc.boolean().map(without()), bad: fc.constantFrom("true", 0, 1, "", null).map(without()) },
  date: { good: day.map(without()), bad: day.map((text) => `${text.slice(0, 8)}32`).map(without()) },
  time: { good: clock.map(without()), bad: clock.map((text) => `${text}.1234567`).map(without()) },
  timestamp: {
    good: fc.tuple(day, clock).map(([date, time]) => without()(`${date}T${time}+01:00`)),
    bad: fc.tuple(day, clock).map(([date, time]) => without()(`${date}T${time}`)),
  },
  uuid: {
    good: fc.uuid().map(without()),
    bad: fc
      .uuid()
      .map((id) => id.slice(1))
      .map(without()),
  },
  json: {
    good: fc.jsonValue({ noUnicodeString: true }).filter(isStorable).map(without()),
    bad: fc.constantFrom("a\u0000", Number.NaN, 2 ** 60, undefined).map((wrong) => without()({ a: [wrong] })),
  },
  oneOf: {
    good: fc.constantFrom("cart", "paid").map(without()),
    bad: word.filter((text) => text !== "cart" && text !== "paid").map(without()),
  },
}

function isStorable(value: unknown): boolean {
  return !/\\u0000|\\ud[89a-f]|(?<![\d.])\d{16}/.test(JSON.stringify(value))
}

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
