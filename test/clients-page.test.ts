// docs/guide/clients.md follows test/clients: its table has each client with the versions of the lock, and its recipes are
// the files that the tests run, printed or linked. BIFOLD_UPDATE=1 writes table and printed recipes into the page.
import assert from "node:assert/strict"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")
const page = join(root, "docs/guide/clients.md")
const readText = (path: string): string => readFileSync(join(root, path), "utf8")

interface Client {
  readonly folder: string
  readonly title: string
  /** Packages with their versions, or a version in words. */
  readonly versions: string
  readonly tests: readonly string[]
}

const clients: readonly Client[] = globSync("test/clients/*/package.json", { cwd: root })
  .map((path): Client => {
    const folder = dirname(path).replaceAll("\\", "/")
    const { bifold } = JSON.parse(readText(path)) as {
      readonly bifold?: {
        readonly client: string
        readonly packages?: readonly string[]
        readonly version?: string
      }
    }
    assert.ok(bifold, `${path} has no member "bifold" with its "client" and "packages"`)
    const { packages } = JSON.parse(readText(`${folder}/package-lock.json`)) as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>
    }
    const versions = (bifold.packages ?? []).map((name) => {
      const version = packages[`node_modules/${name}`]?.version
      assert.ok(version, `${folder}/package-lock.json has ${name}`)
      return `${name} ${version}`
    })
    const tests = globSync(`${folder}/*.ts`, { cwd: root }).flatMap((file) =>
      [...readText(file).matchAll(/^\s*(?:test|it)\(\s*"([^"]+)"/gm)].map(([, name = ""]) => name),
    )
    return { folder, title: bifold.client, versions: versions.join(", ") || (bifold.version ?? ""), tests }
  })
  .toSorted((a, b) => a.title.localeCompare(b.title, "en"))

const tableOf = (all: readonly Client[]): string =>
  [
    "| client | version | tests and recipes |",
    "|---|---|---|",
    ...all.map(({ title, versions, folder }) => `| ${title} | ${versions} | [${folder}](../../${folder}) |`),
  ].join("\n")

const table = /(<!-- table of test\/clients -->\n)[\s\S]*?(\n?<!-- end of the table -->)/
const linked = /\]\(\.\.\/\.\.\/(test\/clients\/[^)]+\.[a-z]+)\)/g
const recipe = /<!-- from (\S+) -->\n(?:\n```\w+\n[\s\S]*?\n```\n)?/g
const languages: Readonly<Record<string, string>> = {
  ".ts": "ts",
  ".json": "json",
  ".sh": "sh",
  ".mjs": "js",
  ".html": "html",
}

const withRecipes = (text: string): string =>
  text.replace(recipe, (_, path: string) => {
    const language = languages[extname(path)] ?? ""
    return `<!-- from ${path} -->\n\n\`\`\`${language}\n${readText(path)}\`\`\`\n`
  })

const written = (text: string): string =>
  withRecipes(
    text.replace(table, (_, before: string) => `${before}${tableOf(clients)}\n<!-- end of the table -->`),
  )

test("the page about clients has their versions and their recipes", () => {
  const text = readFileSync(page, "utf8")
  assert.match(text, table)
  if (process.env["BIFOLD_UPDATE"] === "1") writeFileSync(page, written(text))
  else assert.equal(text, written(text), "BIFOLD_UPDATE=1 writes the page anew")
})

test("each client says what it is, does some work, and has a recipe", () => {
  const text = readFileSync(page, "utf8")
  const recipes = [recipe, linked].flatMap((form) => [...text.matchAll(form)].map(([, path = ""]) => path))
  assert.ok(clients.length >= 11, `${clients.length} clients`)
  for (const { folder, title, versions, tests } of clients) {
    assert.ok(title && versions, `${folder} says its client and version`)
    assert.ok(tests.length > 0, `${folder} has tests with names`)
    // Their recipes are examples/embedded/, which docs/guide/embedding.md is about.
    if (["embedded", "next", "runtimes"].includes(basename(folder))) continue
    assert.ok(
      recipes.some((path) => path.startsWith(`${folder}/`)),
      `${folder} has no recipe on the page`,
    )
    const sources = globSync(`${folder}/*.ts`, { cwd: root })
    for (const path of recipes.filter((one) => one.startsWith(`${folder}/`))) {
      const used = path.slice(folder.length + 1).split("/")[0] ?? ""
      assert.ok(
        sources.some((file) => basename(file) !== used && readText(file).includes(used)),
        `no test uses ${path}`,
      )
    }
  }
})

test("a version, a folder or a recipe that differs is found", () => {
  const text = readFileSync(page, "utf8")
  for (const [from, to] of [
    ["axios 1.", "axios 0."],
    ["](../../test/clients/got)", "](../../test/clients/gut)"],
    ["new RetryLink(", "new TryLink("],
  ] as const) {
    assert.ok(text.includes(from), from)
    assert.notEqual(written(text.replace(from, to)), text.replace(from, to), from)
  }
})
