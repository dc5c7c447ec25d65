// docs/start/tutorial.md and the service of the README work as printed, from an empty folder and from a fresh clone.
// BIFOLD_UPDATE=1 writes the answers into them; what differs from run to run must be written as `…` by hand.
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { cleanUp } from "./support/database.ts"
import { layOut } from "./support/documents.ts"
import { type Finding, walkThrough } from "./support/walkthrough.ts"

const hooks = cleanUp(after)
const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8")

/** The section of the heading. */
function sectionOf(page: string, heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`)
  assert.notEqual(start, -1, heading)
  const end = page.indexOf("\n## ", start + 1)
  return page.slice(start, end === -1 ? undefined : end)
}

/** The page with the answers that were given. */
function withGiven(page: string, findings: readonly Finding[]): string {
  let text = page
  for (const { block, given } of findings.toReversed()) {
    const answer = block.info === "json" ? layOut(given) : String(given)
    text = `${text.slice(0, block.start)}${answer}\n${text.slice(block.start + block.text.length)}`
  }
  return text
}

function compare(path: string, part: string, findings: readonly Finding[]): void {
  if (process.env["BIFOLD_UPDATE"] === "1")
    writeFileSync(
      join(import.meta.dirname, "..", path),
      read(path).replace(part, () => withGiven(part, findings)),
    )
  else
    for (const { given, printed, block } of findings)
      assert.deepEqual(given, printed, `${path}: ${block.text}`)
}

describe("a newcomer's pages", () => {
  test("docs/start/tutorial.md leads from an empty folder to the first authorised request", async () => {
    const page = read("docs/start/tutorial.md")
    const findings = await walkThrough(hooks, page, false)
    assert.ok(findings.length >= 7, `${findings.length} answers`)
    compare("docs/start/tutorial.md", page, findings)
  })

  test("the tutorial's function runs in any folder", async () => {
    const [, begin] = /```sh\n([\s\S]*?)```/.exec(read("docs/start/tutorial.md")) ?? []
    const page = `\`\`\`sh\n${begin}mkdir -p a/b && cd a/b && bifold --version\n\`\`\`\n\n\`\`\`text\n0.0.0\n\`\`\`\n`
    const [finding] = await walkThrough(hooks, page, false)
    assert.match(String(finding?.given), /^\d+\.\d+\.\d+/)
  })

  test("the service of the README answers by both faces in a clone", async () => {
    const section = sectionOf(read("README.md"), "A service")
    const findings = await walkThrough(hooks, section, true)
    assert.equal(findings.length, 2)
    compare("README.md", section, findings)
  })

  test("a wrong answer and a command that fails are found", async () => {
    const [finding] = await walkThrough(
      hooks,
      '```sh\necho \'{ "a": 1 }\'\n```\n\n```json\n{ "a": 2 }\n```\n',
      true,
    )
    assert.deepEqual([finding?.given, finding?.printed], [{ a: 1 }, { a: 2 }])
    await assert.rejects(walkThrough(hooks, "```sh\nfalse\n```\n", true), /line 1/)
  })

  test("the README fits 250 lines", () => assert.ok(read("README.md").split("\n").length <= 250))
})
