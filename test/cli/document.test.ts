// Runs every example of docs/reference/cli.md and docs/reference/settings.md, in their order, and compares what they print:
// `…` stands for any lines, `[1]` for the exit code.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { fileURLToPath } from "node:url"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { consoleExamplesOf } from "../support/documents.ts"
import { bifold, main } from "./run.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const cwd = await temporaryFolder(cleanUp(after))

const database = new DatabaseSync(join(cwd, "shop.db"))
database.exec(`
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author (id));
`)
database.close()
symlinkSync(join(root, "examples"), join(cwd, "examples"))
writeFileSync(
  join(cwd, "broken.ts"),
  `import { f, many, one, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: {
    author: resource({ fields: { name: f.text() }, relations: { books: many("bok", { by: "author" }) } }),
    book: resource({ fields: { title: f.text() }, relations: { author: one("author") } }),
  },
})
`,
)
const shim = join(cwd, "bifold")
writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`)
chmodSync(shim, 0o755)

for (const [page, least] of [
  ["docs/reference/cli.md", 8],
  ["docs/reference/settings.md", 3],
] as const)
  describe(page, () => runExamples(readFileSync(join(root, page), "utf8"), least))

function runExamples(text: string, least: number): void {
  const examples = consoleExamplesOf(text)
  it("has examples", () => assert.ok(examples.length >= least, String(examples.length)))

  for (const { command, printed } of examples)
    it(command, async () => {
      const { code, said } = isPlain(command) ? await runHere(command) : runByShell(command)
      assert.match(`${said}${code === 0 ? "" : `[${code}]\n`}`, printed)
    })
}

interface Ran {
  readonly code: number | null
  readonly said: string
}

/** A call by itself that ends, which takes a process ten times as long. */
const isPlain = (command: string): boolean =>
  /^bifold (?!serve |test )/.test(command) && !/ (\||>|&&) /.test(command)

async function runHere(command: string): Promise<Ran> {
  const words = spawnSync("sh", ["-c", `printf '%s\\0' ${command}`], { cwd, encoding: "utf8" })
  const [, ...given] = words.stdout.split("\0").slice(0, -1)
  const { code, stdout, stderr } = await bifold(given, { cwd })
  return { code, said: stdout + stderr }
}

function runByShell(command: string): Ran {
  const path = `${cwd}${delimiter}${process.env["PATH"]}`
  const { stdout, status } = spawnSync("sh", ["-c", `${command} 2>&1`], {
    cwd,
    encoding: "utf8",
    // As on a terminal.
    env: { PATH: path, HOME: cwd, NO_COLOR: "1", BIFOLD_LOG_FORMAT: "pretty" },
  })
  return { code: status, said: stdout }
}
