// `bifold diagram` as a process: what it draws, where it writes it, and what it says to what it cannot draw.
import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold, bifoldProcess, type RunOptions } from "./run.ts"

const cwd = await temporaryFolder(cleanUp(after))
const desk = new URL("../services/desk.ts", import.meta.url).href
const golden = (name: string): string => readFileSync(new URL(`../diagram/${name}`, import.meta.url), "utf8")
const written = (name: string): string => readFileSync(join(cwd, name), "utf8")

writeFileSync(join(cwd, "service.ts"), `import { desk } from "${desk}"\nexport default desk\n`)
writeFileSync(
  join(cwd, "plain.ts"),
  `import { f, resource, service } from "bifold"
export default service({ name: "plain", resources: { page: resource({ fields: { text: f.text() } }) } })
`,
)
new DatabaseSync(join(cwd, "shop.db")).exec(`
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES author (id));
`)

const run = (given: readonly string[], options: RunOptions = {}): ReturnType<typeof bifold> =>
  bifold(["diagram", ...given], { cwd, ...options })

describe("bifold diagram", () => {
  test("draws all resources when nothing else is said", async () => {
    assert.deepEqual(await run([]), { code: 0, stdout: golden("desk.golden.svg"), stderr: "" })
    assert.deepEqual(await run(["service.ts", "--model"]), await run([]))
  })

  test("draws the states of a resource, into a file", async () => {
    const ran = await run(["service.ts", "--states", "ticket", "--output", "ticket.svg"])
    assert.deepEqual(ran, {
      code: 0,
      stdout: "",
      stderr: "✓ ticket.svg: the states of ticket.state and ticket.billing.\n",
    })
    assert.equal(written("ticket.svg"), golden("ticket.golden.svg"))
  })

  test("writes Mermaid where that is asked for, or the file is called so", async () => {
    const ran = await run(["--states", "ticket.billing", "--format", "mermaid"])
    assert.deepEqual(ran, { code: 0, stdout: golden("billing.golden.mmd"), stderr: "" })
    assert.equal((await run(["-o", "desk.mmd"])).stderr, "✓ desk.mmd: 3 resources.\n")
    assert.equal(written("desk.mmd"), golden("desk.golden.mmd"))
  })

  test("draws a database as it is", async () => {
    const { code, stdout } = await run(["shop.db", "--format", "mermaid"])
    assert.equal(code, 0)
    assert.match(stdout, /^ {2}"author" \|\|--o\{ "book" : "books \/ author"$/m)
  })

  test("writes no format into a file that is called as another", async () => {
    for (const [file, ...more] of [
      ["desk.png"],
      ["desk.PNG", "--format", "svg"],
      ["desk"],
      ["desk.svg", "--format", "mermaid"],
    ] as const) {
      const { code, stderr } = await run(["--output", file, ...more])
      assert.equal(code, 2, file)
      assert.match(
        stderr,
        more.length > 0 && file === "desk.svg" ? /stands for svg/ : /SVG \(\.svg\) and Mermaid/,
      )
      assert.match(stderr, more[1] === "mermaid" ? /desk\.mmd/ : /desk\.svg/)
      assert.ok(!existsSync(join(cwd, file)), file)
    }
    assert.equal((await run(["--output", "desk.txt", "--format", "mermaid"])).code, 0)
    assert.equal(written("desk.txt"), golden("desk.golden.mmd"))
  })

  const mistakes: readonly (readonly [string, readonly string[], string])[] = [
    [
      "a resource that is not there",
      ["--states", "tickets"],
      '✗ There is no resource "tickets".\n  → Did you mean "ticket"?\n',
    ],
    [
      "a resource without states",
      ["--states", "note"],
      "✗ note has no states.\n  → These have states: ticket.\n",
    ],
    [
      "a service without states",
      ["plain.ts", "--states", "page"],
      "✗ page has no states.\n  → No resource of this service has any; without --states, all resources are drawn.\n",
    ],
    [
      "a machine that is not there",
      ["--states", "ticket.stat"],
      '✗ ticket has no states "stat".\n  → Did you mean "state"?\n',
    ],
    [
      "a name of three parts",
      ["--states", "ticket.state.open"],
      '✗ ticket has no states "state.open".\n  → Did you mean "state"?\n',
    ],
    [
      "two pictures at once",
      ["--states", "ticket", "--model"],
      "✗ option '--states <resource>' cannot be used with option '--model'\nRun bifold diagram --help for its arguments and options.\n",
    ],
    [
      "a format that is not there",
      ["--format", "png"],
      "✗ option '--format <format>' argument 'png' is invalid. Allowed choices are svg, mermaid.\nRun bifold diagram --help for its arguments and options.\n",
    ],
  ]
  for (const [what, given, stderr] of mistakes)
    test(`refuses ${what}`, async () => {
      assert.deepEqual(await run(given), { code: 2, stdout: "", stderr })
    })

  test("says where it cannot write", async () => {
    const { code, stderr } = await run(["--output", "no/such/folder.svg"])
    assert.equal(code, 2)
    assert.match(stderr, /^✗ no\/such\/folder\.svg cannot be written: /)
  })

  test("is the only command that loads what it draws with, and only where it is drawn with", async () => {
    const loader = new URL("../support/loaded.mjs", import.meta.url).href
    const loads = async (name: string, given: readonly string[]): Promise<boolean> => {
      const environment = { LOADED_MODULES: join(cwd, name), NODE_OPTIONS: `--import=${loader}` }
      const { code, stderr } = await bifoldProcess(given, { cwd, environment })
      assert.equal(code, 0, stderr)
      const loaded = written(name)
      assert.match(loaded, /\/dist\/joined\//, "the list has what is loaded")
      return loaded.includes("/node_modules/elkjs/")
    }
    assert.equal(await loads("help", ["--help"]), false)
    assert.equal(await loads("schema", ["schema", "--graphql"]), false)
    assert.equal(await loads("mermaid", ["diagram", "--format", "mermaid"]), false)
    assert.equal(await loads("svg", ["diagram"]), true)
  })
})
