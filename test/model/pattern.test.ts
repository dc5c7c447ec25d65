// Patterns: they mean what the runtime's own regular expressions mean, and no text takes long.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { compilePattern, type Pattern } from "../../src/model/pattern.ts"

function compiled(source: string): Pattern {
  const pattern = compilePattern(source)
  assert.ok("matches" in pattern, source)
  return pattern
}

const runtimes = (source: string, text: string): boolean => new RegExp(`^(?:${source})$`, "u").test(text)

const samples: readonly (readonly [pattern: string, ...texts: string[]])[] = [
  ["", "", "a"],
  ["[A-Z]{2}[0-9]{4}", "AB1234", "AB123", "AB12345", "ab1234", "AB1234\n"],
  ["a|b|", "a", "b", "", "ab"],
  ["(?:ab)*c?", "", "abab", "ababc", "aba"],
  ["(a+)+", "aaaa", "", "aab"],
  ["(?<year>\\d{4})-(?<month>\\d\\d)", "2026-11", "26-11"],
  ["a{2,3}", "a", "aa", "aaa", "aaaa"],
  ["a{2,}", "a", "aa", "aaaaa"],
  ["a{0}", "", "a"],
  ["(?:){5}a", "a", ""],
  ["(?:a?){3,5}?", "", "aaaaa", "aaaaaa"],
  ["(?:a*)*", "", "aaa", "b"],
  [".", "😀", "a", "\n", "\u2028", ""],
  ["[^]", "\n", "😀"],
  ["\\u{1F600}+", "😀😀", "a"],
  ["\\uD83D\\uDE00", "😀", "\u2764"],
  ["\\u0041\\x42\\cA", "AB\u0001", "ab"],
  ["\\p{L}\\P{L}", "é1", "1é"],
  ["[\\p{Lu}\\-\\]]+", "É-]", "é"],
  ["[\\b]", "\b", "b"],
  ["\\w+\\s\\w+", "ab cd", "ab  cd"],
  ["^a$", "a", "b"],
  ["^^a|b$$", "a", "b", "ab"],
  ["a^b", "ab"],
  ["\\bab\\b", "ab"],
  ["a\\Bb", "ab"],
  ["a\\bb", "ab"],
  ["a\\b b", "a b"],
  ["\\/\\.\\*\\{", "/.*{", "x"],
  ["(?:\\b)*a", "a"],
]

test("a pattern means what the runtime's regular expression means", () => {
  for (const [source, ...texts] of samples)
    for (const text of texts)
      assert.equal(
        compiled(source).matches(text),
        runtimes(source, text),
        `${source} on ${JSON.stringify(text)}`,
      )
})

test("any pattern of these parts means what the runtime's regular expression means", () => {
  const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
    pattern: fc
      .array(
        fc.array(tie("term"), { maxLength: 3 }).map((terms) => terms.join("")),
        { minLength: 1, maxLength: 3 },
      )
      .map((branches) => branches.join("|")),
    term: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\W", "😀", "\\p{L}"),
      fc.constantFrom("^", "$", "\\b", "\\B"),
      fc
        .tuple(tie("pattern"), fc.constantFrom("", "*", "+", "?", "*?", "{2}", "{0,2}", "{1,}", "{2,3}?"))
        .map(([inner, times]) => `(?:${inner})${times}`),
    ),
  }))
  const text = fc.array(fc.constantFrom("a", "b", " ", "😀"), { maxLength: 6 }).map((parts) => parts.join(""))
  let held = 0
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      const expected = runtimes(source, value)
      if (expected) held += 1
      assert.equal(compiled(source).matches(value), expected)
    }),
    { numRuns: 5_000 },
  )
  assert.ok(held > 200, `${held} of them match`)
})

test("a text that takes the runtime's own matcher ages takes no time", () => {
  const text = `${"a".repeat(5_000)}!`
  for (const source of [
    "(a+)+",
    "(a|a)*",
    "(a|aa)+",
    "(?:a*)*b",
    "(\\w+\\s?)+",
    "a*a*a*a*a*b",
    "(?:a?){100}a{100}",
  ]) {
    const before = process.cpuUsage()
    assert.equal(compiled(source).matches(text), false, source)
    assert.ok(process.cpuUsage(before).user < 1_000_000, source)
  }
})

test("the longest text that is looked at is shorter the longer the pattern is", () => {
  assert.ok(compiled("a").longest > compiled("a{100}").longest)
  assert.ok(compiled("a{100}").longest > 5_000)
  const [source, text] = ["(?:a?){480}", "a".repeat(compiled("(?:a?){480}").longest)]
  const before = process.cpuUsage()
  compiled(source).matches(text)
  assert.ok(process.cpuUsage(before).user < 1_000_000)
})

test("what cannot be matched in linear time is no pattern, with the reason", () => {
  const reasons: Readonly<Record<string, string>> = {
    "(?=a)a": "it looks ahead or behind",
    "(?!a)a": "it looks ahead or behind",
    "a(?<=a)": "it looks ahead or behind",
    "a(?<!a)": "it looks ahead or behind",
    "(a)\\1": "it refers back to a group by \\1",
    "(?<x>a)\\k<x>": "it refers back to a group by \\k",
    "(?i:a)": "a group of it changes the flags",
    "a{1001}": "written out, its repetitions take more than 1000 places",
    "(?:a{100}){100}": "written out, its repetitions take more than 1000 places",
    "(?:){99999999}a{1,99999999}": "written out, its repetitions take more than 1000 places",
  }
  for (const [source, reason] of Object.entries(reasons)) {
    assert.doesNotThrow(() => new RegExp(source, "u"))
    assert.deepEqual(compilePattern(source), { reason }, source)
  }
})
