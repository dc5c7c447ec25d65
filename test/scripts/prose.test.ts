// The prose check finds riddles, long sentences, British spelling and words that the glossary replaces, and leaves plain words alone.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "../..")

async function findingsOf(path: string, text: string): Promise<readonly string[]> {
  const source = `
    const { findingsOf } = await import("./scripts/prose/prose.mjs")
    const glossary = [{ said: /\\bclient record\\b/i, term: "viewer" }]
    console.log(JSON.stringify(await findingsOf(${JSON.stringify(path)}, ${JSON.stringify(text)}, glossary)))`
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", source], {
    cwd: root,
  })
  return JSON.parse(stdout) as string[]
}

test("plain words are left alone", async () => {
  const page =
    "# Access\n\nA rule names the records that a caller may read. `whoever` is code.\n\n- `read`: the records.\n\n```ts\n// nobody\n```\n"
  assert.deepEqual(await findingsOf("docs/guide/page.md", page), [])
})

for (const [what, sentence, finding] of [
  ["a riddle", "Whoever asks is told of those of others.", /"Whoever"/],
  ["an opening", "What is refused has no effect.", /opens with "What"/],
  ["a long sentence", `A ${"rule and a ".repeat(10)}record.`, /\d+ words: A rule/],
  ["British spelling", "The server recognises the colour.", /"recognises" is British/],
  ["a word that the glossary replaces", "The client record is read.", /in place of "viewer"/],
  ["a long item", `- ${"A rule reads it. ".repeat(20)}`, /an item of \d+ words/],
  ["a page that is hard to read", "Internationalization necessitates configurability.", /reading ease/],
] as const)
  test(`${what} is found`, async () => {
    const found = await findingsOf("docs/guide/page.md", `${sentence}\n`)
    assert.match(found.join("\n"), finding)
  })

test("comments and messages of a source are prose", async () => {
  const source = `// Whoever asks.\nconst a = 1 // nobody\n/** @param a what is asked */\nthrow new Error(\`Nobody may read \${a} here.\`)\n`
  const found = await findingsOf("src/base/page.ts", source)
  assert.deepEqual(
    found.map((line) => line.split(":")[1]),
    ["1", "2", "3", "4"],
  )
})
