// Any expression over any values: what both databases compute is what a naive evaluation comes to, shown, filtered by
// and sorted by.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import fc from "fast-check"
import { anyone, f, many, one, resource } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import type { ExpressionDeclaration } from "../../src/model/expression.ts"
import { startService } from "../../src/tools/testing/start-service.ts"
import { dialects } from "../support/open-service.ts"
import { evaluateNumber, evaluateText, type Known, settle } from "./naive.ts"

const stored = {
  a: f.integer(),
  b: f.integer({ optional: true }),
  c: f.int64(),
  p: f.decimal({ precision: 12, scale: 2 }),
  q: f.decimal({ precision: 18, scale: 6, optional: true }),
  s: f.text(),
  t: f.text({ optional: true }),
  o: f.oneOf(["red", "Green"]),
}

const small = fc.integer({ min: -30, max: 30 })
const integer = fc.oneof(small, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))
const decimal = (digits: number, scale: number) =>
  fc
    .oneof(
      fc.bigInt({ min: -999n, max: 999n }),
      fc.bigInt({ min: -(10n ** BigInt(digits)) + 1n, max: 10n ** BigInt(digits) - 1n }),
    )
    .map((units) => {
      const text = String(units < 0n ? -units : units).padStart(scale + 1, "0")
      return `${units < 0n ? "-" : ""}${text.slice(0, -scale)}.${text.slice(-scale)}`
    })
const text = fc
  .oneof(fc.string({ maxLength: 6 }), fc.constantFrom("", "Straße", "ÀÉ aé", "ı𝒜Z"))
  .filter((one) => !one.includes("\u0000") && one.isWellFormed())
const maybe = <Value>(of: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(of, { freq: 3 })

const record = fc.record({
  a: integer,
  b: maybe(integer),
  c: fc.oneof(small.map(String), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  p: decimal(12, 2),
  q: maybe(decimal(18, 6)),
  s: text,
  t: maybe(text),
  o: fc.constantFrom("red", "Green"),
  lines: fc.array(fc.record({ n: maybe(integer), d: decimal(12, 2) }), { maxLength: 4 }),
})

const when = fc.letrec((tie) => ({
  one: fc.oneof(
    small.map((value) => ({ a: { gt: value } })),
    small.map((value) => ({ b: { lte: value } })),
    decimal(12, 2).map((value) => ({ p: { lt: value } })),
    fc.boolean().map((value) => ({ q: { isNull: value } })),
    fc.constantFrom("red", "Green").map((value) => ({ o: { eq: value } })),
    text.map((value) => ({ t: { ne: value } })),
    fc.array(small, { minLength: 1, maxLength: 3 }).map((values) => ({ b: { notIn: values } })),
  ),
  any: fc.oneof(
    { maxDepth: 2 },
    tie("one"),
    fc.record({ not: tie("any") }),
    fc.record({ or: fc.array(tie("any"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ and: fc.array(tie("any"), { minLength: 1, maxLength: 2 }) }),
  ),
})).any as fc.Arbitrary<Readonly<Record<string, unknown>>>

const several = <Of>(of: fc.Arbitrary<Of>) => fc.array(of, { minLength: 2, maxLength: 3 })

const choice = (of: fc.Arbitrary<unknown>) =>
  fc
    .record({ when, give: of, else: fc.option(of) })
    .map(({ else: other, ...rest }) => ({ if: { ...rest, ...(other === null ? {} : { else: other }) } }))

const number = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "p", "q") },
    { weight: 1, arbitrary: small },
    { weight: 1, arbitrary: decimal(5, 3).map((value) => ({ value })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ count: "lines" }, { sum: ["lines", "n"] }, { sum: ["lines", "d"] }),
    },
  ),
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie("leaf"),
    fc.record({ add: several(tie("any")) }),
    fc.record({ subtract: fc.tuple(tie("any"), tie("any")) }),
    fc.record({ multiply: several(tie("any")) }),
    fc.record({ coalesce: several(tie("any")) }),
    choice(tie("any")),
  ),
})).any as fc.Arbitrary<ExpressionDeclaration>

const whole = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "b", "c") },
    { weight: 1, arbitrary: small },
    { weight: 1, arbitrary: fc.constantFrom({ count: "lines" }, { sum: ["lines", "n"] }) },
  ),
  any: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    tie("leaf"),
    fc.record({ add: several(tie("any")) }),
    fc.record({ subtract: fc.tuple(tie("any"), tie("any")) }),
    fc.record({ multiply: several(tie("any")) }),
    fc.record({ coalesce: several(tie("any")) }),
    choice(tie("any")),
  ),
})).any as fc.Arbitrary<ExpressionDeclaration>

const words = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("s", "t", "o") },
    { weight: 3, arbitrary: text.map((value) => ({ value })) },
    { weight: 2, arbitrary: fc.record({ textOf: whole }) },
  ),
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie("leaf"),
    fc.record({ concat: several(tie("any")) }),
    fc.record({ coalesce: several(tie("any")) }),
    fc.record({ upper: tie("any") }),
    fc.record({ lower: tie("any") }),
    choice(tie("any")),
  ),
})).any as fc.Arbitrary<ExpressionDeclaration>

const world = fc.record({
  numbers: fc.array(fc.record({ of: number, scale: fc.constantFrom(0, 2, 5) }), {
    minLength: 3,
    maxLength: 5,
  }),
  texts: fc.array(words, { minLength: 1, maxLength: 3 }),
  records: fc.array(record, { minLength: 1, maxLength: 6 }),
})

const precision = 14

for (const database of dialects)
  describe(`any expression, on ${database}`, () => {
    const server = database === "sqlite" ? "sqlite" : (process.env["BIFOLD_TEST_POSTGRES"] ?? "")
    test("comes to what a naive evaluation comes to", async () => {
      let values = 0
      await fc.assert(
        fc.asyncProperty(world, async ({ numbers, texts, records }) => {
          const computed = Object.fromEntries([
            ...numbers.map(({ of, scale }, at) => [
              `n${at}`,
              f.decimal({ precision, scale, optional: true, computed: of }),
            ]),
            ...texts.map((of, at) => [`t${at}`, f.text({ optional: true, computed: of })]),
          ])
          const everything = { read: anyone, create: anyone } as const
          const declaration: ServiceDeclaration = {
            name: "sums",
            resources: {
              thing: resource({
                id: "thg",
                fields: { ...stored, ...computed },
                relations: { lines: many("line", { by: "thing" }) },
                allow: everything,
              }),
              line: resource({
                id: "lin",
                fields: { n: f.integer({ optional: true }), d: f.decimal({ precision: 12, scale: 2 }) },
                relations: { thing: one("thing") },
                allow: everything,
              }),
            },
          }
          const things = records.map(({ lines: _, ...own }, at) => ({ id: `thg_${at}`, ...own }))
          const lines = records.flatMap(({ lines }, at) =>
            lines.map((line, place) => ({ id: `lin_${at}x${place}`, thingId: `thg_${at}`, ...line })),
          )
          await using opened = await startService(declaration, {
            database: server,
            records: { thing: things, line: lines },
          })
          const wanted = records.map((known, at): Known => {
            const own = numbers.map(({ of, scale }, index) => [
              `n${index}`,
              settle(evaluateNumber(of, known), { precision, scale }),
            ])
            const said = texts.map((of, index) => [`t${index}`, evaluateText(of, known)])
            return { id: `thg_${at}`, ...Object.fromEntries([...own, ...said]) }
          })
          const names = Object.keys(computed)
          const { body } = await opened.anyone.rest<{ data: readonly Known[] }>(
            "GET",
            `/things?limit=100&sort=id&fields=${names.join()}`,
          )
          assert.deepEqual(body.data, wanted)
          values += wanted.length * names.length
          for (const name of names) {
            const [first] = wanted
            const filter = first?.[name] === null ? { isNull: true } : { eq: first?.[name] }
            const found = await opened.anyone.rest<{ data: readonly Known[] }>(
              "GET",
              `/things?limit=100&sort=${name},id&fields=${name}&filter=${encodeURIComponent(JSON.stringify({ [name]: filter }))}`,
            )
            assert.deepEqual(
              found.body.data.map(({ id }) => id),
              wanted.filter((one) => one[name] === first?.[name]).map(({ id }) => id),
            )
          }
        }),
        { numRuns: 12 },
      )
      assert.ok(values > 150, `only ${values} values were compared`)
    })

    test("has every value that the type has, and no other", async () => {
      const declaration: ServiceDeclaration = {
        name: "edges",
        resources: {
          edge: resource({
            id: "edg",
            fields: {
              n: f.int64(),
              integer: f.integer({ optional: true, computed: { add: ["n", 0] } }),
              int64: f.int64({
                optional: true,
                computed: { add: ["n", { if: { when: { n: { gt: "0" } }, give: 1, else: -1 } }] },
              }),
              decimal: f.decimal({
                precision: 3,
                scale: 2,
                optional: true,
                computed: { multiply: ["n", { value: "0.0005" }] },
              }),
              always: f.decimal({
                precision: 3,
                scale: 2,
                computed: { multiply: ["n", { value: "0.0005" }] },
              }),
            },
            allow: { read: anyone, create: anyone },
          }),
        },
      }
      const of = (n: bigint, integer: number | null, int64: bigint | null, decimal: string | null) => ({
        n: String(n),
        integer,
        int64: int64 === null ? null : String(int64),
        decimal,
      })
      const [small, great] = [2n ** 31n, 2n ** 63n]
      const wanted = [
        of(small - 1n, 2147483647, small, null),
        of(small, null, small + 1n, null),
        of(-small, -2147483648, -small - 1n, null),
        of(-small - 1n, null, -small - 2n, null),
        of(great - 2n, null, great - 1n, null),
        of(great - 1n, null, null, null),
        of(1n - great, null, -great, null),
        of(-great, null, null, null),
        of(19989n, 19989, 19990n, "9.99"),
        of(19990n, 19990, 19991n, null),
        of(-19989n, -19989, -19990n, "-9.99"),
        of(-19990n, -19990, -19991n, null),
        of(-9n, -9, -10n, "0.00"),
        of(-10n, -10, -11n, "-0.01"),
      ]
      const records = wanted.map(({ n }, at) => ({ id: `edg_${String.fromCharCode(97 + at)}`, n }))
      await using opened = await startService(declaration, { database: server, records: { edge: records } })
      const { body } = await opened.anyone.rest<{ data: readonly Known[] }>(
        "GET",
        "/edges?sort=id&fields=n,integer,int64,decimal",
      )
      assert.deepEqual(
        body.data.map(({ id: _, ...rest }) => rest),
        wanted,
      )
      const fits = await opened.anyone.graphql(`{ edge(id: "edg_i") { always } }`)
      assert.deepEqual([fits.data, fits.errors], [{ edge: { always: "9.99" } }, []])
      const flawed = await opened.anyone.graphql(`{ edge(id: "edg_j") { always } }`)
      assert.deepEqual(flawed.data, { edge: null })
      assert.equal(flawed.errors[0]?.message, "Cannot return null for non-nullable field Edge.always.")
    })
  })
