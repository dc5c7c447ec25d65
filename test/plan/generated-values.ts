// Values to be stored, made up: good ones of every scalar with limits that they keep, and such as have one thing wrong.
import fc from "fast-check"
import type { Constraints } from "../../src/model/bounds.ts"
import type { ScalarName } from "../../src/model/scalars.ts"

export const money: Constraints = { precision: 7, scale: 2 }

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

export const generated: Readonly<Record<ScalarName, Generated>> = {
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
    // JSON `null` is a missing value, but within an object or an array.
    good: fc
      .jsonValue({ noUnicodeString: true })
      .filter((value) => value !== null && isStorable(value))
      .map(without()),
    bad: fc
      .oneof(
        fc.constant(null),
        fc.constantFrom("a\u0000", Number.NaN, 2 ** 60, undefined).map((wrong) => ({ a: [wrong] })),
      )
      .map(without()),
  },
  oneOf: {
    good: fc.constantFrom("cart", "paid").map(without()),
    bad: word.filter((text) => text !== "cart" && text !== "paid").map(without()),
  },
}

function isStorable(value: unknown): boolean {
  return !/\\u0000|\\ud[89a-f]|(?<![\d.])\d{16}/.test(JSON.stringify(value))
}
