// The examples of docs/guide/handlers.md are run: each is a file, whose name is in its first line.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "../support/database.ts"
import { blocksOf } from "../support/documents.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const files = blocksOf(readFileSync(join(root, "docs/guide/handlers.md"), "utf8"))
  .filter(({ info }) => info === "ts")
  .map(({ text }) => ({ name: /^\/\/ (\S+\.ts)\n/.exec(text)?.[1] ?? "", text }))

/** In a folder in which the package is this one. */
test("docs/guide/handlers.md has a test that passes, and fails without its handler", async (context) => {
  assert.deepEqual(
    files.map(({ name }) => name),
    ["service.ts", "mail.ts", "service.test.ts"],
  )
  const run = async (change: (text: string) => string): Promise<{ failed: boolean; output: string }> => {
    const folder = await temporaryFolder(context)
    mkdirSync(join(folder, "node_modules"))
    symlinkSync(root, join(folder, "node_modules", "bifold"))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    for (const { name, text } of files) writeFileSync(join(folder, name), change(text))
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
    const args = ["--conditions=bifold-source", "--test", "service.test.ts"]
    return new Promise((resolve) =>
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ failed: error !== null, output: stdout + stderr }),
      ),
    )
  }
  const right = await run((text) => text)
  assert.equal(right.failed, false, right.output)
  const wrong = await run((text) => text.replace("await sendMail", "await Promise.resolve"))
  assert.equal(wrong.failed, true, wrong.output)
})
