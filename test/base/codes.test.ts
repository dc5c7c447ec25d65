// docs/reference/errors.md is the catalogue: every code and kind, as base/codes.ts has them. BIFOLD_UPDATE=1 writes its tables.
import assert from "node:assert/strict"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { type Code, codes, kindEntry, kinds, type ProblemKind } from "../../src/base/codes.ts"

const root = join(import.meta.dirname, "..", "..")
const page = join(root, "docs", "reference", "errors.md")

const names = Object.keys(codes) as Code[]
const kindNames = Object.keys(kinds) as ProblemKind[]

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const kindTable = table([
  ["kind", "what it says", "REST", "GraphQL"],
  ["---", "---", "---", "---"],
  ...kindNames.map((name) => {
    const { means, rest, graphql } = kindEntry(name)
    return [`\`${name}\``, means, String(rest), graphql === undefined ? "200, or 400" : String(graphql)]
  }),
])

const codeTable = table([
  ["code", "title", "kind"],
  ["---", "---", "---"],
  ...names.map((name) => [`\`${name}\``, codes[name].title, `\`${codes[name].kind}\``]),
])

test("docs/reference/errors.md has every code and every kind, as they are", () => {
  const before = readFileSync(page, "utf8")
  const expected = before
    .replace(/\| kind \| what it says[^\n]*\n(\|[^\n]*\n)*/, () => `${kindTable}\n`)
    .replace(/\| code \| title[^\n]*\n(\|[^\n]*\n)*/, () => `${codeTable}\n`)
  if (process.env["BIFOLD_UPDATE"] === "1") writeFileSync(page, expected)
  assert.ok(expected.includes(kindTable) && expected.includes(codeTable), "both tables have their place")
  assert.equal(readFileSync(page, "utf8"), expected)
})

test("every code is used, and every kind has codes", () => {
  const sources = globSync("src/**/*.ts", { cwd: root, exclude: ["src/base/codes.ts"] })
  assert.ok(sources.length > 100, `${sources.length} files were read`)
  const text = sources.map((path) => readFileSync(join(root, path), "utf8")).join("\n")
  for (const name of names) assert.ok(text.includes(`"${name}"`), `${name} is never given`)
  for (const kind of kindNames)
    assert.ok(
      names.some((name) => codes[name].kind === kind),
      `no code is of the kind ${kind}`,
    )
})
