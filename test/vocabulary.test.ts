// The words of the code and of what clients read are the field's own: none of the words that were replaced is the name of
// a file, an exported name, or in a public text. support/vocabulary.ts has the list.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { Command } from "commander"
import { parse, visit } from "graphql"
import storefront from "../examples/storefront/service.ts"
import { codes, kinds } from "../src/base/codes.ts"
import { printGraphql } from "../src/graphql/schema/schema.ts"
import { load } from "../src/model/load.ts"
import { openTerminal } from "../src/observe/terminal/terminal.ts"
import { openapi } from "../src/rest/openapi/openapi.ts"
import { main } from "./cli/run.ts"
import { desk } from "./services/desk.ts"
import { exportedNames, type OldName, oldNamesIn, oldWordsIn, replacedWords } from "./support/vocabulary.ts"

const root = join(import.meta.dirname, "..")

/** Names that mean something else by the word, with what they mean. */
const honest: Readonly<Record<string, string>> = {
  "src/engine/failure/missing-references.ts": "referenced records that do not exist",
  missingReferences: "referenced records that do not exist",
  missingTargets: "referenced records that do not exist",
  missingNode: "a record that is not found",
  missingRecord: "a record that is not found",
  "src/engine/single-flight.ts": "the pattern's name: equal requests under way share one answer",
  SingleFlight: "the pattern's name",
  createSingleFlight: "the pattern's name",
  "src/model/declaration/service.ts given":
    "a word of the language that services are declared in, which is public",
  "src/index.ts given": "a word of the language that services are declared in, which is public",
  LeafType: "GraphQL's term: a scalar or an enum (section 3.2 of its specification)",
  leafType: "GraphQL's term",
  diffLines: "lines of text",
  placedLines: "lines of text",
  problemLines: "lines of text",
  neverWritten: "fields that no write sets",
  fitIndex: "values that are short enough for an index",
  withNulls: "nulls in an answer",
}

interface Public {
  readonly where: string
  readonly text: string
}

const sources = globSync("src/**/*.ts", { cwd: root }).map((path) => ({
  path: path.replaceAll("\\", "/"),
  text: readFileSync(join(root, path), "utf8"),
}))

test("no file and no exported name has a word that was replaced", () => {
  const found = sources.flatMap(oldNamesIn)
  const allowed = Object.keys(honest)
  const isAllowed = ({ path, name }: OldName, by: string): boolean =>
    by === name || by === `${path} ${name}` || (by === path && path.endsWith(`/${name}.ts`))
  const wrong = found.filter((one) => !allowed.some((by) => isAllowed(one, by)))
  assert.deepEqual(
    wrong.map(({ path, name, word }) => `${path}: ${name} (${word})`),
    [],
  )
  const needless = allowed.filter((by) => !found.some((one) => isAllowed(one, by)))
  assert.deepEqual(needless, [], "an exception that nothing needs any more is taken off its list")
})

test("the list is whole, and finds names however they are spelt", () => {
  assert.equal(replacedWords.length, 50)
  assert.ok(sources.length > 300 && sources.flatMap(({ text }) => exportedNames(text)).length > 1_000)
  const found = (path: string, text: string) => oldNamesIn({ path, text }).map(({ name }) => name)
  assert.deepEqual(found("src/plan/earlier-key.ts", ""), ["earlier-key"])
  assert.deepEqual(
    found("src/plan/a.ts", "export const whoAsks = 1\nexport { b as toldOf, type c as Seal }"),
    ["whoAsks", "toldOf", "Seal"],
  )
  assert.deepEqual(found("src/sql/a.ts", "export interface PlanShape {}\nconst lent = 1"), [])
  assert.deepEqual(found("src/model/a.ts", "export async function shapeOf() {}"), ["shapeOf"])
  assert.deepEqual(oldWordsIn("The viewer, Whoever asks."), ["whoever asks → caller, viewer, principal"])
  assert.deepEqual(oldWordsIn("The token's audience is missing, given once."), [])
})

/** Every description, summary and title of a JSON document. */
function textsOf(value: unknown, where: string): readonly Public[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" && ["description", "summary", "title"].includes(name)
      ? [{ where: `${where}/${name}`, text: inner }]
      : textsOf(inner, `${where}/${name}`),
  )
}

function descriptionsOf(schema: string): readonly Public[] {
  const found: Public[] = []
  visit(parse(schema), {
    enter(node) {
      if ("description" in node && node.description)
        found.push({
          where: `GraphQL ${"name" in node && node.name && "value" in node.name ? node.name.value : node.kind}`,
          text: node.description.value,
        })
    },
  })
  return found
}

function refuse(texts: readonly Public[], atLeast: number): void {
  assert.ok(texts.length >= atLeast, `${texts.length} texts were seen`)
  assert.deepEqual(
    texts.flatMap(({ where, text }) => oldWordsIn(text).map((word) => `${where}: ${word}: ${text}`)),
    [],
  )
}

for (const [name, declaration] of [
  ["storefront", storefront],
  ["desk", desk],
] as const)
  test(`descriptions of ${name} have no word that was replaced`, () => {
    const model = load(declaration)
    refuse(descriptionsOf(printGraphql(model)), 100)
    refuse(textsOf(openapi(model), "OpenAPI"), 100)
  })

test("titles of problems have no word that was replaced", () => {
  const titles = Object.entries(codes).map(([where, { title }]) => ({ where, text: title }))
  const meanings = Object.entries(kinds).map(([where, { means }]) => ({ where, text: means }))
  refuse([...titles, ...meanings], 60)
})

/** The help of the command and of all below it. */
function helpOf(command: Command): readonly Public[] {
  let text = ""
  command.configureOutput({
    writeOut: (more) => {
      text += more
    },
  })
  command.outputHelp()
  return [{ where: command.name(), text }, ...command.commands.flatMap(helpOf)]
}

test("the help of the command line has no word that was replaced", async () => {
  const terminal = openTerminal({
    stdin: Readable.from([]),
    stdout: process.stdout,
    stderr: process.stderr,
    env: {},
  })
  const modules = await Promise.all(
    globSync("src/cli/commands/*.ts", { cwd: root }).map(
      (path): Promise<object> => import(pathToFileURL(join(root, path)).href),
    ),
  )
  const makers = modules.flatMap((found) =>
    Object.entries(found).flatMap(([name, value]) => (name.endsWith("Command") ? [value] : [])),
  )
  const commands = makers.map((make) => make(terminal))
  for (const command of commands) assert.ok(command instanceof Command)
  const { stdout } = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" })
  refuse([{ where: "bifold", text: stdout }, ...commands.flatMap(helpOf)], 15)
  assert.match(stdout, /serve/)
})
