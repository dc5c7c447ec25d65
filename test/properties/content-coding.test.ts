// The choice of a content coding, compared with a reading of RFC 9110 section 12.5.3 that never sees the header's text.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type Coding, codings, createNegotiate } from "../../src/server/coding.ts"

const runs = process.env["BIFOLD_PROOF"] === "full" ? 200_000 : 5_000

interface Element {
  readonly name: string
  /** Thousandths. */
  readonly quality: number
}

const weights = [0, 1, 500, 999, 1_000]

const elementOf = fc.record<Element>({
  name: fc.constantFrom("zstd", "br", "gzip", "x-gzip", "identity", "*", "deflate", "compress"),
  quality: fc.constantFrom(...weights),
})

/** Elements that are none. */
const malformed = [
  "gzip;q=2",
  "br;q=0.5555",
  "identity;q=x",
  "*;q=-1",
  "zstd q=1",
  "gzip;level=9",
  ";q=0",
  "",
  "br;q",
  "é",
]

const styleOf = fc.record({
  upper: fc.boolean(),
  space: fc.constantFrom("", " ", "\t", "  "),
  short: fc.boolean(),
  before: fc.option(fc.constantFrom(...malformed), { nil: undefined, freq: 3 }),
})
type Style = typeof styleOf extends fc.Arbitrary<infer Value> ? Value : never

function spell({ name, quality }: Element, { upper, space, short, before }: Style): string {
  const said = upper ? name.toUpperCase() : name
  const decimal = quality === 1_000 ? (short ? "1" : "1.000") : `0.${String(quality).padStart(3, "0")}`
  const value = short && quality === 500 ? "0.5" : short && quality === 0 ? "0" : decimal
  const element = quality === 1_000 && short ? said : `${said}${space};${space}${upper ? "Q" : "q"}=${value}`
  return `${before === undefined ? "" : `${before},`}${space}${element}${space}`
}

const names = (coding: string): readonly string[] => (coding === "gzip" ? ["gzip", "x-gzip"] : [coding])

/** Undefined: the header says nothing of it. */
function weightOf(
  elements: readonly Element[],
  coding: string,
): { weight: number; named: boolean } | undefined {
  for (const sought of [names(coding), ["*"]]) {
    const named = !sought.includes("*")
    const found = elements.filter(({ name }) => sought.includes(name))
    if (found.length > 0) return { weight: Math.max(...found.map(({ quality }) => quality)), named }
  }
  return undefined
}

/** All that would do, the best first. */
function ranked(elements: readonly Element[], available: readonly Coding[]): readonly (Coding | undefined)[] {
  const known = available.flatMap((coding) => {
    const found = weightOf(elements, coding)
    return found && found.weight > 0 ? [{ coding, ...found }] : []
  })
  const rank = ({ coding, named }: { coding: Coding; named: boolean }): number =>
    named ? codings.indexOf(coding) : 10 - codings.indexOf(coding)
  known.sort((one, other) => other.weight - one.weight || rank(one) - rank(other))
  const identity = weightOf(elements, "identity")
  if (identity?.weight === 0) return known.map(({ coding }) => coding)
  // Identity is better than a coding only where it is weighed, and weighs more.
  const better = known.filter(({ weight }) => weight >= (identity?.weight ?? 0))
  const worse = known.filter((one) => !better.includes(one))
  return [...better.map(({ coding }) => coding), undefined, ...worse.map(({ coding }) => coding)]
}

test("the coding is the one that the header's weights choose", () => {
  let [refused, plain, coded] = [0, 0, 0]
  fc.assert(
    fc.property(
      fc.array(fc.tuple(elementOf, styleOf), { maxLength: 6 }),
      fc.constantFrom<readonly Coding[]>(codings, []),
      (parts, available) => {
        const header = parts.map(([element, style]) => spell(element, style)).join(",")
        const elements = parts.map(([element]) => element)
        const expected = ranked(elements, available)
        const negotiate = createNegotiate(available)
        const found = negotiate(header)
        assert.equal(negotiate(header), found, "it is remembered")
        if (expected.length === 0) {
          refused += 1
          assert.equal(found, undefined, header)
          return
        }
        assert.ok(found, header)
        assert.equal(found.chosen, expected[0], header)
        assert.equal(found.needed, expected.includes(undefined) ? undefined : expected[0], header)
        for (const coding of [...codings, undefined])
          assert.equal(found.accepts(coding), expected.includes(coding), `${header}: ${coding}`)
        if (found.chosen === undefined) plain += 1
        else coded += 1
      },
    ),
    { numRuns: runs },
  )
  for (const count of [refused, plain, coded]) assert.ok(count > runs / 50, `${refused} ${plain} ${coded}`)
})

test("without the header an answer stays as it is, and its condition may name any coding", () => {
  const found = createNegotiate(codings)(undefined)
  assert.ok(found)
  assert.deepEqual([found.chosen, found.needed], [undefined, undefined])
  for (const coding of [...codings, undefined]) assert.equal(found.accepts(coding), true)
})

test("as many headers as clients can think of are not all remembered", () => {
  const negotiate = createNegotiate(codings)
  const first = negotiate("br;q=0.123")
  for (let index = 0; index < 1_000; index++) negotiate(`gzip;q=0.${index}, x-${index}`)
  assert.notEqual(negotiate("br;q=0.123"), first)
  assert.deepEqual(negotiate("br;q=0.123")?.chosen, first?.chosen)
  const long = `gzip, ${"x".repeat(10_000)}`
  assert.notEqual(negotiate(long), negotiate(long))
})
