// The tsconfig.json of docs/start/tutorial.md gives a compiler the types of a clone.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryFolder } from "../support/database.ts"
import { blocksOf } from "../support/documents.ts"

const root = join(import.meta.dirname, "../..")
const blocks = blocksOf(readFileSync(join(root, "docs/start/tutorial.md"), "utf8"))
const [config] = blocks.filter(({ info }) => info === "jsonc")

test("a service beside a clone is checked by the compiler", async (context) => {
  const folder = await temporaryFolder(context)
  const own = join(folder, "service")
  await mkdir(own)
  await symlink(root, join(folder, "bifold"), "dir")
  await writeFile(join(own, "tsconfig.json"), config?.text ?? assert.fail("the page has it"))
  const service = `import { f, resource, service } from "bifold"
import { startService } from "bifold/testing"
const shop = service({ name: "shop", resources: { order: resource({ fields: { number: f.text() } }) } })
export const started = startService(shop)
`
  const compile = async (text: string) => {
    await writeFile(join(own, "service.ts"), text)
    return new Promise<string>((resolve) => {
      const tsc = join(root, "node_modules/typescript/bin/tsc")
      execFile(process.execPath, [tsc, "-p", own], (_, stdout) => resolve(stdout))
    })
  }
  assert.equal(await compile(service), "")
  assert.match(await compile(service.replace("f.text", "f.txt")), /service\.ts\(3,\d+\): error .*txt/)
})
