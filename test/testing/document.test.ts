// The examples of docs/guide/testing.md are run: each is a file, whose name is in its first line.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { fileURLToPath } from "node:url"
import { installBuilt } from "../support/built-package.ts"
import { temporaryFolder } from "../support/database.ts"
import { blocksOf } from "../support/documents.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const page = readFileSync(join(root, "docs/guide/testing.md"), "utf8")
const files = blocksOf(page)
  .filter(({ info }) => info === "ts")
  .map(({ text, line }) => {
    const name = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1]
    assert.ok(name !== undefined, `docs/guide/testing.md:${line} says which file it is`)
    return { name, text }
  })

/** In a folder in which the package is this one. */
async function runTests(change: (text: string) => string): Promise<{ code: number; output: string }> {
  const works: (() => Promise<void> | void)[] = []
  const folder = await temporaryFolder({ after: (work) => void works.push(work) })
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(root, join(folder, "node_modules", "bifold"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  for (const { name, text } of files) writeFileSync(join(folder, name), change(text))
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const tests = files.map(({ name }) => name).filter((name) => name.endsWith(".test.ts"))
  const ran = await new Promise<{ code: number; output: string }>((resolve) =>
    execFile(
      process.execPath,
      ["--conditions=bifold-source", "--test", ...tests],
      { cwd: folder, env },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    ),
  )
  for (const work of works) await work()
  return ran
}

describe("docs/guide/testing.md", () => {
  test("has tests that pass", async () => {
    const { code, output } = await runTests((text) => text)
    assert.equal(code, 0, output)
    assert.match(output, /pass 4\n/)
  })

  test("has tests that fail when a rule is gone", async () => {
    const readable = (text: string): string => text.replace('own, { state: { eq: "published" } }', "anyone")
    const wide = await runTests(readable)
    assert.equal(wide.code, 1, wide.output)
    assert.match(wide.output, /pass 3\n/)
    const forged = await runTests((text) => readable(text).replace("create: own", "create: anyone"))
    assert.equal(forged.code, 1, forged.output)
    assert.match(forged.output, /pass 2\n/)
  })
})

test("the examples compile with the tsconfig.json that docs/guide/testing.md shows", async (t) => {
  const folder = await temporaryFolder(t)
  const [settings] = blocksOf(page).filter(({ info }) => info === "json")
  assert.ok(settings)
  await installBuilt(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  /** The first mistake in the examples. */
  const compile = async (text: string): Promise<string> => {
    writeFileSync(join(folder, "tsconfig.json"), text)
    for (const { name, text: example } of files) writeFileSync(join(folder, name), example)
    const args = [join(root, "node_modules/typescript/bin/tsc"), "-p", "."]
    return new Promise((resolve) =>
      execFile(process.execPath, args, { cwd: folder }, (_, stdout) =>
        resolve(/^[\w.-]+\(.*$/m.exec(stdout)?.[0] ?? ""),
      ),
    )
  }
  assert.equal(await compile(settings.text), "")
  assert.match(
    await compile(settings.text.replace(/"allowImportingTsExtensions": true/, '"strict": true')),
    /TS5097/,
  )
})
