// Test files that share a process when all are run: none is left out, and each is a suite of its own.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { temporaryFolder } from "../support/database.ts"

const root = join(import.meta.dirname, "../..")
const addressOf = (path: string): string => pathToFileURL(join(root, path)).href

test("every test file is run once, most of them together", async (t) => {
  const { groupedTests } = (await import(addressOf("scripts/test-groups.mjs"))) as {
    groupedTests(home: string): readonly string[]
  }
  const files = groupedTests(await temporaryFolder(t))
  const run = files.flatMap((file) =>
    file.startsWith("test/")
      ? [file]
      : Object.keys(JSON.parse(/\{\n[\s\S]*\}/.exec(readFileSync(file, "utf8"))?.[0] ?? "{}")),
  )
  assert.deepEqual(
    run.toSorted(),
    globSync("test/**/*.test.ts", { cwd: root, exclude: ["**/node_modules"] }).toSorted(),
  )
  assert.ok(files.length < run.length / 2, `${files.length} processes for ${run.length} files`)
})

test("files together have hooks of their own, begin when all are loaded, and fail by themselves", async (t) => {
  const folder = await temporaryFolder(t)
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return pathToFileURL(path).href
  }
  const said = (name: string): string =>
    `import { after, before, test } from "node:test"
    import "./shared.mjs"
    before(() => console.log("before ${name}"))
    after(() => console.log("after ${name}"))
    test("of ${name}", () => console.log("in ${name}"))
    console.log("loaded ${name}")\n`
  file("shared.mjs", "await new Promise((resolve) => setTimeout(resolve, 20))\n")
  const files = {
    first: file("first.mjs", said("first")),
    second: file("second.mjs", said("second")),
    absent: pathToFileURL(join(folder, "absent.mjs")).href,
    wrong: file(
      "wrong.mjs",
      'import { test } from "node:test"\ntest("of wrong", () => { throw new Error("wrong") })\n',
    ),
  }
  const entry = `import { together } from ${JSON.stringify(addressOf("test/support/together.mjs"))}
    await together(${JSON.stringify(files)})`
  file("entry.test.mjs", entry)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) =>
    execFile(
      process.execPath,
      ["--test-reporter=tap", join(folder, "entry.test.mjs")],
      { env },
      (error, out) => resolve({ code: error?.code ?? 0, stdout: out }),
    ),
  )
  assert.equal(code, 1, stdout)
  const outcomes = [...stdout.matchAll(/^( *)(ok|not ok) \d+ - (.*)$/gm)].map(
    ([, indent = "", outcome, name]) => `${indent.length} ${outcome} ${name}`,
  )
  assert.deepEqual(outcomes, [
    "4 ok of first",
    "0 ok first",
    "4 ok of second",
    "0 ok second",
    "0 not ok absent",
    "4 not ok of wrong",
    "0 not ok wrong",
  ])
  const lines = [...stdout.matchAll(/^(?:# +)?((?:loaded|in|after) (?:first|second))$/gm)].map(
    ([, line]) => line,
  )
  assert.deepEqual(lines, [
    "loaded first",
    "loaded second",
    "in first",
    "after first",
    "in second",
    "after second",
  ])
})
