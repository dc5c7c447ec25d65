// The documentation is true: its examples are asked and answered as printed, and what it refers to is there.
// BIFOLD_UPDATE=1 writes the answers into the documents.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { after, describe, test } from "node:test"
import { promisify } from "node:util"
import type { Fresh } from "../src/plan/draft/draft.ts"
import { createIds, createVersions } from "../src/plan/values/typeid.ts"
import { bifold } from "./cli/run.ts"
import { agent, openDesk } from "./states/asking.ts"
import { cleanUp } from "./support/database.ts"
import {
  type CommandLine,
  commandLinesOf,
  type Document,
  findBrokenLinks,
  findMissingDecisions,
  findMissingPaths,
  findUnlisted,
  findWrongCommands,
  linksOf,
  pathsOf,
} from "./support/document-references.ts"
import { consoleExamplesOf, examplesOf, findWrongAnswers, layOut, withAnswers } from "./support/documents.ts"
import { type OpenService, openExample } from "./support/open-service.ts"

const root = join(import.meta.dirname, "..")
const read = (pattern: string): readonly Document[] =>
  globSync(pattern, { cwd: root, exclude: ["**/node_modules"] }).map((path) => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(join(root, path), "utf8"),
  }))
const exists = (path: string): boolean => existsSync(join(root, path))

const pages = [
  ...read("README.md"),
  ...read("docs/{.,start,guide,reference,operate,concepts,internals}/*.md"),
]
const decisions = read("docs/decisions/[0-9]*.md")
const documents = [...pages, ...decisions, ...read("docs/decisions/README.md"), ...read("C*.md")]
const textOf = (path: string): string => documents.find((document) => document.path === path)?.text ?? ""

/** Ids that are the same each time, and a clock that stands still. */
function settledFresh(): Fresh {
  let last = 1
  const chance = (bytes: number): Uint8Array =>
    Uint8Array.from({ length: bytes }, () => {
      last = (last * 48_271) % 2_147_483_647
      return last & 255
    })
  return {
    id: createIds(chance, () => Date.UTC(2026, 10, 21, 12)),
    uuid: () => "0b6d2a3c-5c9e-4c1e-9d53-2f3d6a7f9c10",
    now: () => "2026-11-21T12:00:00Z",
    version: createVersions(() => Date.UTC(2026, 10, 21, 12)),
  }
}

describe("examples", () => {
  const hooks = cleanUp(after)
  const services = new Map<string, Promise<OpenService>>()
  const open = (service: "storefront" | "desk"): Promise<OpenService> => {
    const opened =
      services.get(service) ??
      (service === "desk"
        ? openDesk(hooks, "sqlite").then((desk) => desk.as(agent))
        : openExample(hooks, service, "sqlite", { writes: "unsafe", fresh: settledFresh() }))
    services.set(service, opened)
    return opened
  }

  test("are many", () => {
    assert.ok(examplesOf(textOf("docs/start/tour.md")).length >= 5)
    const asked = pages.flatMap(({ text }) => examplesOf(text))
    assert.ok(asked.length >= 25, `${asked.length} in all`)
    assert.ok(asked.filter(({ graphql, http }) => graphql && http).length >= 5, "asked by both faces")
  })

  // These are run as their reader runs them, by test/tour.test.ts and test/tutorial.test.ts.
  const walked = ["README.md", "docs/start/tour.md", "docs/start/tutorial.md"]
  const asked = pages.filter(({ path, text }) => !walked.includes(path) && examplesOf(text).length > 0)
  for (const { path, text } of asked)
    test(`of ${path} are answered as it says`, async () => {
      const wrong = await findWrongAnswers(text, open)
      if (process.env["BIFOLD_UPDATE"] === "1") writeFileSync(join(root, path), withAnswers(text, wrong))
      else
        for (const { example, given } of wrong)
          assert.deepEqual(given, JSON.parse(example.answer.text), `${path}:${example.line}`)
    })

  test("of commands print what their page says", async () => {
    const commands = ["docs/start/tour.md", "docs/concepts/how-it-works.md"].flatMap((path) => {
      const found = consoleExamplesOf(textOf(path))
      assert.ok(found.length >= 1, path)
      return found
    })
    for (const { command, printed } of commands) {
      const main = `"${process.execPath}" "${join(root, "src/cli/main.ts")}"`
      const line = command.replace("npm run bifold --", main)
      const { stdout } = await promisify(execFile)("sh", ["-c", line], { cwd: root })
      assert.match(stdout, printed)
    }
  })

  const page = (answer: string): string =>
    `# Page\n\n\`\`\`graphql\n{ orderByNumber(number: "A-1") { number } }\n\`\`\`\n\nThat is:\n\n\`\`\`json\n${answer}\n\`\`\`\n`
  const right = '{ "data": { "orderByNumber": { "number": "A-1" } } }'
  const wrong = '{ "data": { "orderByNumber": { "number": "A-2" } } }'

  test("with a wrong answer are found, and written anew", async () => {
    assert.deepEqual(await findWrongAnswers(page(right), open), [])
    const found = await findWrongAnswers(page(wrong), open)
    assert.deepEqual(
      found.map(({ example }) => example.line),
      [3],
    )
    assert.equal(withAnswers(page(wrong), found), page(right))
  })

  test("that the faces answer differently are found", async () => {
    const both = page('{ "number": "A-1" }').replace("That is:", "```http\nGET /orders/number=A-1\n```")
    await assert.rejects(findWrongAnswers(both, open), /both faces answer the same/)
    const same = both.replace("{ number }", "{ id number }").replace("number=A-1", "number=A-1?fields=number")
    assert.equal((await findWrongAnswers(same, open)).length, 1, "the document lacks the id")
  })

  test("without an answer are found", () => {
    assert.throws(() => examplesOf(page(right).replace("```json", "```text")), /the question has no answer/)
    assert.throws(() => examplesOf(page(right).replace(/```json[\s\S]*/, "")), /the question has no answer/)
  })

  test("are laid out for reading", () => {
    const value = { short: [1, { a: null }], long: ["x".repeat(60), "y".repeat(60)], none: {} }
    assert.deepEqual(JSON.parse(layOut(value)), value)
    assert.ok(
      layOut(value)
        .split("\n")
        .every((line) => line.length <= 100),
    )
  })
})

describe("references", () => {
  test("lead to files and headings that are there", () => {
    assert.ok(documents.flatMap(({ text }) => linksOf(text)).length >= 30)
    assert.deepEqual(findBrokenLinks(documents, exists), [])
  })

  test("in code spans are to files that are there", () => {
    assert.ok(documents.flatMap(({ text }) => pathsOf(text)).length >= 40)
    assert.deepEqual(findMissingPaths(documents, exists), [])
  })

  test("to decisions by their number are to decisions that are there", () => {
    const numbers = new Set(decisions.map(({ path }) => path.slice("docs/decisions/".length).slice(0, 4)))
    assert.equal(numbers.size, decisions.length, "numbers are given once")
    const files = [...documents, ...read("{src,test,scripts}/**/*.{ts,mjs}")]
    assert.ok(files.length > 200)
    assert.deepEqual(findMissingDecisions(files, numbers), [])
  })

  test("every decision is in the index", () =>
    assert.deepEqual(findUnlisted(textOf("docs/decisions/README.md"), decisions), []))

  test("decisions are few, and each has its context, decision and consequences", () => {
    assert.ok(decisions.length <= 35, `${decisions.length} decisions`)
    for (const { path, text } of decisions) {
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
      assert.deepEqual(headings, ["Context", "Decision", "Consequences"], path)
    }
  })

  test("every page is in the index of the documentation", () => {
    const indexes = ["docs/README.md", "docs/internals/README.md"]
    const listed = indexes.flatMap((index) =>
      linksOf(textOf(index)).map((link) => join(dirname(index), link).replaceAll("\\", "/")),
    )
    const own = pages.filter(({ path }) => path.startsWith("docs/") && !indexes.includes(path))
    assert.ok(own.length >= 25)
    assert.deepEqual(
      own.map(({ path }) => path).filter((path) => !listed.includes(path)),
      [],
    )
  })

  test("the architecture names every room, and the files that it sends people to", () => {
    const named = pathsOf(textOf("docs/architecture.md"))
    const rooms = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(
        (entry) =>
          `${join(entry.parentPath, entry.name)
            .slice(root.length + 1)
            .replaceAll("\\", "/")}/`,
      )
    assert.ok(rooms.length >= 11)
    assert.deepEqual(
      rooms.filter((room) => !named.includes(room)),
      [],
    )
    assert.ok(named.length >= 50)
  })

  test("commands and their options are those that there are", async () => {
    const commandLine = await readCommandLine()
    assert.ok(documents.flatMap(({ text }) => commandLinesOf(text)).length >= 30)
    assert.deepEqual(findWrongCommands(documents, commandLine), [])
  })

  test("that lead nowhere are found", async () => {
    const text = [
      "# Page",
      "[one](none.md) [two](#nowhere) [three](#page) [four](https://example.org/x)",
      "`src/none.ts` `src/index.ts` `bifold serv x` `bifold serve --opne read` `npm run chekc` `--example`",
      "`npm run bench -- --seconds 2 --sekonds 2`",
      "```sh",
      "npm run bifold -- explain '{ a --b }' --dialect sqlite --dilect x",
      "```",
      `docs/decisions/${9999}`,
    ].join("\n")
    const page = [{ path: "docs/page.md", text }]
    const there = (path: string): boolean => path === "docs/page.md" || exists(path)
    assert.deepEqual(findBrokenLinks(page, there), [
      "docs/page.md: none.md is not there",
      "docs/page.md: #nowhere has no such heading",
    ])
    assert.deepEqual(findMissingPaths(page, there), ["docs/page.md: src/none.ts is not there"])
    assert.deepEqual(findMissingDecisions(page, new Set(["0001"])), [
      `docs/page.md: docs/decisions/${9999} is not there`,
    ])
    assert.deepEqual(findUnlisted("[Page](other.md)", page), ["the index lacks [Page](page.md)"])
    assert.deepEqual(
      findWrongCommands(page, await readCommandLine()).map((finding) => finding.split(": ")[1]),
      [
        "there is no option --dilect",
        "bifold has no command serv",
        "there is no option --opne",
        "there is no npm script chekc",
        "there is no option --sekonds",
      ],
    )
  })
})

let known: Promise<CommandLine> | undefined
/** From what the command line says about itself. */
function readCommandLine(): Promise<CommandLine> {
  known ??= askCommandLine()
  return known
}

test("no page has marks of a merge", () => {
  const marked = ({ text }: Document): boolean => /^(?:<{7}|>{7}) /m.test(text)
  assert.ok(marked({ path: "", text: `a\n${"<".repeat(7)} HEAD\n` }))
  assert.deepEqual(documents.filter(marked), [])
})

// Until the packages are published, these names of the registry are anybody's, and what is fetched by them runs.
test("no page and no message fetches a package of Bifold's name from a registry", () => {
  const texts = globSync(
    ["docs/**/*.md", "*.md", "create-bifold/**/*", "src/**/*.ts", "examples/**/*.{ts,md}"],
    {
      cwd: root,
    },
  ).filter((file) => /\.(md|[jt]s|json)$/.test(file) && !file.includes("node_modules"))
  const fetching =
    /\b(?:npm (?:create|init|i|install|exec|x)|npx|pnpm (?:create|dlx|add)|yarn (?:create|dlx|add)|bunx?)(?: -\S+)* (?:create-)?bifold\b|npmjs\.com\/package\/(?:create-)?bifold/
  assert.ok(texts.length > 700)
  assert.deepEqual(
    texts.filter((file) => fetching.test(readFileSync(join(root, file), "utf8"))),
    [],
  )
  assert.match("run npx bifold serve", fetching)
})

async function askCommandLine(): Promise<CommandLine> {
  const help = async (...command: string[]): Promise<string> => (await bifold([...command, "--help"])).stdout
  const section = (text: string, title: string): string =>
    new RegExp(`^${title}:\\n((?: .*\\n)+)`, "m").exec(text)?.[1] ?? ""
  const namesIn = (text: string): readonly string[] =>
    [...section(text, "Commands").matchAll(/^ {2}([a-z]+)/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "help")
  const names = namesIn(await help())
  assert.ok(names.length >= 5)
  const optionsIn = (text: string): ReadonlySet<string> =>
    new Set(
      [...section(text, "Options").matchAll(/(?<=^ {2}|, )--?[a-zA-Z][\w-]*/gm)].map(([option]) => option),
    )
  const commands = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, ReadonlySet<string>]> => {
        const own = await help(name)
        const below = await Promise.all(namesIn(own).map((each) => help(name, each)))
        return [name, new Set<string>([own, ...below].flatMap((text) => [...optionsIn(text)]))]
      }),
    ),
  )
  const bench = ["--conditions=bifold-source", join(root, "bench/main.ts"), "--help"]
  commands.set("bench", optionsIn((await promisify(execFile)(process.execPath, bench)).stdout))
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return { commands, scripts: new Set(Object.keys(scripts)) }
}
