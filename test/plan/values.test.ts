import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type ScalarName, scalars, type ValueType } from "../../src/model/scalars.ts"
import { cutFraction } from "../../src/model/values/datetime.ts"
import { type Encoding, operandType, readValue } from "../../src/plan/values/values.ts"

const typeOf = (scalar: ScalarName, rest: Partial<ValueType> = {}): ValueType => ({
  scalar,
  list: false,
  ...rest,
})
const read = (type: ValueType, input: unknown, encoding: Encoding = "json"): unknown => {
  const result = readValue(type, input, encoding)
  return result.ok ? result.value : result.wrong
}

const money = { constraints: { precision: 7, scale: 2 } }
const status = { values: ["cart", "paid"] }

const accepted: readonly (readonly [ScalarName, unknown, unknown, Partial<ValueType>?])[] = [
  ["text", "", ""],
  ["text", "  a\u0001é😀 ", "  a\u0001é😀 "],
  ["email", "a.b+c@example.org", "a.b+c@example.org"],
  ["email", "a@localhost", "a@localhost"],
  ["url", "https://example.org/a?b=ü#c", "https://example.org/a?b=ü#c"],
  ["url", "mailto:a@example.org", "mailto:a@example.org"],
  ["slug", "a-1-b", "a-1-b"],
  ["integer", 2147483647, 2147483647],
  ["integer", -2147483648, -2147483648],
  ["integer", -0, 0],
  ["int64", "9223372036854775807", 9223372036854775807n],
  ["int64", "-9223372036854775808", -9223372036854775808n],
  ["int64", 9007199254740991, 9007199254740991n],
  ["int64", "-0", 0n],
  ["float", 1e308, 1e308],
  ["float", 5e-324, 5e-324],
  ["float", -0, 0],
  ["decimal", "10", "10"],
  ["decimal", "10.50", "10.5"],
  ["decimal", "-0.00", "0"],
  ["decimal", 12, "12"],
  ["decimal", "10", "10.00", money],
  ["decimal", "-99999.9", "-99999.90", money],
  ["decimal", "1.2300", "1.23", money],
  ["decimal", "0.25", "0.25", { constraints: { precision: 2, scale: 2 } }],
  ["boolean", true, true],
  ["date", "2024-02-29", "2024-02-29"],
  ["date", "0001-01-01", "0001-01-01"],
  ["date", "9999-12-31", "9999-12-31"],
  ["time", "23:59:59.120000", "23:59:59.12"],
  ["time", "00:00:00.000", "00:00:00"],
  ["timestamp", "2026-11-01T10:00:00.5+02:00", "2026-11-01T08:00:00.5Z"],
  ["timestamp", "2026-12-31t23:59:59.999999-00:01", "2027-01-01T00:00:59.999999Z"],
  ["timestamp", "2026-11-01T10:00:00-00:00", "2026-11-01T10:00:00Z"],
  ["timestamp", "0001-01-01T00:00:00z", "0001-01-01T00:00:00Z"],
  ["timestamp", "0050-06-01T12:00:00+01:00", "0050-06-01T11:00:00Z"],
  ["uuid", "01890A5D-AC96-774B-BCCE-B302099A8057", "01890a5d-ac96-774b-bcce-b302099a8057"],
  ["json", { a: [1, "x", null, { b: true }] }, '{"a":[1,"x",null,{"b":true}]}'],
  ["json", [null], "[null]"],
  ["json", JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ["oneOf", "paid", "paid", status],
  ["bytes", "AAH/", "AAH/"],
  ["bytes", "AA==", "AA=="],
  ["bytes", "", ""],
]

const plainText = "must be text without U+0000 and without lone surrogates"
const integer = "must be a whole number from -2147483648 to 2147483647"
const int64 = "must be a whole number from -9223372036854775808 to 9223372036854775807, as a string"
const date = 'must be a date such as "2026-11-01", of the years 0001 to 9999'
const time = 'must be a time of day such as "09:30:00", with up to six digits of a second\'s fraction'
const timestamp =
  'must be a moment such as "2026-11-01T09:30:00Z", of the years 0001 to 9999 in UTC, with up to six digits of a second\'s fraction'
const decimal = "must be a decimal number in plain digits, as a string"
const moneyForm = `${decimal}, with at most 2 after the point and 5 before it`
const quote = "(write it as a string, so that no digit is lost)"
const offset = '(it must have an offset such as Z or +02:00; in a URL "+" is written %2B)'

const refused: readonly (readonly [ScalarName, unknown, string, Partial<ValueType>?])[] = [
  ["text", 1, "must be text, not 1"],
  ["text", null, "must be text, not null"],
  ["text", "a\u0000", plainText],
  ["text", "a\ud800", plainText],
  ["email", "a@b@c", 'must be an e-mail address, not "a@b@c"'],
  ["email", "a@-b.org", 'must be an e-mail address, not "a@-b.org"'],
  ["url", "/orders", 'must be an absolute URL such as "https://example.org/", not "/orders"'],
  ["url", " https://x.org", 'must be an absolute URL such as "https://example.org/", not " https://x.org"'],
  ["slug", "a--b", 'must be lower-case letters, digits and single hyphens between them, not "a--b"'],
  ["integer", 2147483648, `${integer}, not 2147483648`],
  ["integer", 1.5, `${integer}, not 1.5`],
  ["integer", "1", `${integer}, not "1"`],
  ["int64", "9223372036854775808", `${int64}, not "9223372036854775808"`],
  ["int64", "007", `${int64}, not "007"`],
  ["int64", "+1", `${int64}, not "+1"`],
  ["int64", 9007199254740992, `${int64}, not 9007199254740992 ${quote}`],
  ["float", Number.POSITIVE_INFINITY, "must be a finite number, not Infinity"],
  ["float", "1", 'must be a finite number, not "1"'],
  ["decimal", "1e3", `${decimal}, not "1e3"`],
  ["decimal", ".5", `${decimal}, not ".5"`],
  ["decimal", "5.", `${decimal}, not "5."`],
  ["decimal", "", `${decimal}, not ""`],
  ["decimal", 0.1, `${decimal}, not 0.1 (write it as a string, so that no digit is lost: "0.1")`],
  ["decimal", "1.234", `${moneyForm}, not "1.234"`, money],
  ["decimal", "100000", `${moneyForm}, not "100000"`, money],
  [
    "decimal",
    "1.5",
    'must be a whole number as a string, of at most 3 digits, not "1.5"',
    { constraints: { precision: 3, scale: 0 } },
  ],
  ["boolean", "true", 'must be true or false, not "true"'],
  ["boolean", 1, "must be true or false, not 1"],
  ["date", "2026-02-30", `${date}, not "2026-02-30"`],
  ["date", "1900-02-29", `${date}, not "1900-02-29"`],
  ["date", "0000-01-01", `${date}, not "0000-01-01"`],
  ["date", "2026-1-1", `${date}, not "2026-1-1"`],
  ["date", "2026-11-01T00:00:00Z", `${date}, not "2026-11-01T00:00:00Z"`],
  ["time", "24:00:00", `${time}, not "24:00:00"`],
  ["time", "09:30", `${time}, not "09:30"`],
  ["time", "09:30:00.1234567", `${time}, not "09:30:00.1234567"`],
  ["timestamp", "2016-12-31T23:59:60Z", `${timestamp}, not "2016-12-31T23:59:60Z"`],
  ["timestamp", "2026-11-01T10:00:00", `${timestamp}, not "2026-11-01T10:00:00" ${offset}`],
  ["timestamp", "2026-11-01T10:00:00 02:00", `${timestamp}, not "2026-11-01T10:00:00 02:00" ${offset}`],
  ["timestamp", "2026-11-01T10:00:00+24:00", `${timestamp}, not "2026-11-01T10:00:00+24:00"`],
  ["timestamp", "0001-01-01T00:00:00+00:01", `${timestamp}, not "0001-01-01T00:00:00+00:01"`],
  ["timestamp", "9999-12-31T23:59:59-00:01", `${timestamp}, not "9999-12-31T23:59:59-00:01"`],
  ["uuid", "01890a5d", 'must be a UUID such as "01890a5d-ac96-774b-bcce-b302099a8057", not "01890a5d"'],
  ["oneOf", "Paid", 'must be one of "cart", "paid", not "Paid"', status],
  ["bytes", "AA", 'must be bytes in base64 with padding, not "AA"'],
  ["bytes", "AB==", 'must be bytes in base64 with padding, not "AB=="'],
  ["bytes", "A_8=", 'must be bytes in base64 with padding, not "A_8="'],
]

test("values in an accepted form become their canonical form", () => {
  for (const [scalar, input, value, rest] of accepted) {
    assert.deepEqual(
      readValue(typeOf(scalar, rest), input, "json"),
      { ok: true, value },
      `${scalar} ${String(input)}`,
    )
  }
  assert.deepEqual(new Set(accepted.map(([scalar]) => scalar)), new Set(Object.keys(scalars)))
})

test("other values are refused with what would be right", () => {
  for (const [scalar, input, wrong, rest] of refused) {
    assert.deepEqual(
      readValue(typeOf(scalar, rest), input, "json"),
      { ok: false, wrong },
      `${scalar} ${String(input)}`,
    )
  }
})

test("a long value is cut in the message", () => {
  const wrong = read(typeOf("integer"), "x".repeat(5000))
  assert.equal(wrong, `${integer}, not "${"x".repeat(60)}"…`)
})

test("the text encoding reads each scalar from text", () => {
  assert.equal(read(typeOf("integer"), "-12", "text"), -12)
  assert.equal(read(typeOf("integer"), "012", "text"), `${integer}, not "012"`)
  assert.equal(read(typeOf("integer"), "1e2", "text"), 100)
  assert.equal(read(typeOf("float"), "2.5e-3", "text"), 0.0025)
  assert.equal(read(typeOf("float"), "1e999", "text"), 'must be a finite number, not "1e999"')
  assert.equal(read(typeOf("float"), "0x10", "text"), 'must be a finite number, not "0x10"')
  assert.equal(read(typeOf("int64"), "5", "text"), 5n)
  assert.equal(read(typeOf("boolean"), "false", "text"), false)
  assert.equal(read(typeOf("boolean"), "1", "text"), 'must be true or false, not "1"')
  assert.equal(read(typeOf("json"), '{"a":1}', "text"), '{"a":1}')
  assert.match(String(read(typeOf("json"), "{", "text")), /^must be a JSON value/)
  assert.equal(read(typeOf("text"), "null", "text"), "null")
  assert.equal(read(typeOf("date"), ["2026-01-01"], "text"), `${date}, not a list`)
})

test("a list is read item by item, and null is no item", () => {
  const list = typeOf("date", { list: true })
  assert.deepEqual(read(list, ["2026-01-01", "2024-02-29"]), ["2026-01-01", "2024-02-29"])
  assert.equal(read(list, ["2026-01-01", "2026-13-01"]), `${date}, not "2026-13-01" (item 2)`)
  assert.equal(read(list, [null]), `${date}, not null (item 1)`)
  assert.equal(read(list, "2026-01-01"), 'must be a list, not "2026-01-01"')
})

test("a json value nested too deeply, or with text no database can hold, is refused without a stack overflow", () => {
  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth))
  assert.equal(read(typeOf("json"), nested(100)), "[".repeat(100) + "]".repeat(100))
  for (const input of [nested(101), nested(100_000), { "a\u0000": 1 }, ["\ud800"], [undefined], 1n]) {
    assert.match(String(read(typeOf("json"), input)), /^must be a JSON value, nested at most 100 deep/)
  }
})

test("a whole number within a json value that may have been rounded on its way is refused", () => {
  const takes = (value: unknown): boolean => readValue(typeOf("json"), value, "json").ok
  for (const value of [2 ** 53 - 1, -(2 ** 53) + 1, 1e21, 1.5e300, 0.1])
    assert.ok(takes({ a: [value] }), `${value}`)
  for (const value of [2 ** 53, -(2 ** 53), 2 ** 60 + 512, 9e20])
    assert.ok(!takes({ a: [value] }), `${value}`)
})

test("a decimal of absurd length is refused", () => {
  assert.equal(read(typeOf("decimal"), "9".repeat(1000)), "9".repeat(1000))
  assert.match(String(read(typeOf("decimal"), "9".repeat(1001))), /^must be a decimal/)
  assert.match(String(read(typeOf("decimal"), `0.${"0".repeat(1000)}1`)), /^must be a decimal/)
})

test("an operand of a text-like scalar need only be text", () => {
  for (const scalar of ["text", "email", "url", "slug"] as const) {
    assert.equal(read(operandType(typeOf(scalar, { constraints: { max: 1 } })), "not @ one"), "not @ one")
    assert.equal(read(operandType(typeOf(scalar)), "\u0000"), plainText)
  }
  assert.match(String(read(operandType(typeOf("oneOf", status)), "gone")), /one of "cart", "paid"/)
})

test("the canonical form is a fixed point", () => {
  const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String)
  const fraction = fc.stringMatching(/^[0-9]{0,6}$/)
  const pad = (value: number, size = 2) => String(value).padStart(size, "0")
  const clock = fc
    .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fraction)
    .map(([h, m, s, f]) => `${pad(h)}:${pad(m)}:${pad(s)}${f === "" ? "" : `.${f}`}`)
  const day = fc
    .date({ min: new Date("0002-01-01"), max: new Date("9998-12-31"), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10))
  const zone = fc
    .tuple(fc.constantFrom("+", "-"), fc.nat(23), fc.nat(59))
    .map(([s, h, m]) => `${s}${pad(h)}:${pad(m)}`)
  const inputs: Partial<Record<ScalarName, fc.Arbitrary<unknown>>> = {
    integer: fc.integer(),
    int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    float: fc.double({ noNaN: true, noDefaultInfinity: true }),
    decimal: fc.tuple(digits, fraction).map(([whole, part]) => (part === "" ? whole : `${whole}.${part}`)),
    date: day,
    time: clock,
    timestamp: fc.tuple(day, clock, zone).map(([d, c, z]) => `${d}T${c}${z}`),
    uuid: fc.uuid().map((id) => id.toUpperCase()),
    json: fc
      .jsonValue()
      .filter(
        (value) => value !== null && !/\\u0000|\\ud[89a-f]|(?<![\d.])\d{16}/.test(JSON.stringify(value)),
      ),
    bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64")),
    text: fc.string({ unit: "binary" }).filter((text) => !text.includes("\u0000")),
  }
  for (const [scalar, arbitrary] of Object.entries(inputs)) {
    const type = typeOf(scalar as ScalarName)
    fc.assert(
      fc.property(arbitrary, (input) => {
        const once = readValue(type, input, "json")
        assert.ok(once.ok, `${scalar}: ${JSON.stringify(input)}`)
        const wire = typeof once.value === "bigint" ? String(once.value) : once.value
        const again = readValue(type, scalar === "json" ? JSON.parse(String(wire)) : wire, "json")
        assert.deepEqual(again, once)
      }),
      { numRuns: 200 },
    )
  }
})

test("a moment of fewer digits of a second's fraction is the one before", () => {
  assert.deepEqual(
    [
      cutFraction("2026-11-01T09:30:59.999Z", 0),
      cutFraction("2026-11-01T09:30:59.109Z", 2),
      cutFraction("09:30:59.5", 6),
      cutFraction("09:30:59", 0),
    ],
    ["2026-11-01T09:30:59Z", "2026-11-01T09:30:59.1Z", "09:30:59.5", "09:30:59"],
  )
})

test("a timestamp is the same moment after it was normalised", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0002-01-01"), max: new Date("9998-12-31"), noInvalidDate: true }),
      fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
      (at, ahead) => {
        const local = new Date(at.getTime() + ahead * 60_000).toISOString().slice(0, -1)
        const [hours, minutes] = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
        const zone = `${ahead < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`
        const result = readValue(typeOf("timestamp"), `${local}${zone}`, "json")
        assert.ok(result.ok)
        assert.equal(Date.parse(String(result.value)), at.getTime())
      },
    ),
    { numRuns: 500 },
  )
})
