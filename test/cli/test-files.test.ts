// `bifold test`, as a process: tests that lie where there is no package, and what it ends with.
import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const cwd = join(await temporaryFolder(cleanUp(after)), "a shop")
mkdirSync(cwd)

const source = `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: { page: resource({ fields: { title: f.text() }, allow: { read: anyone } }) },
})
`
const tests = (status: number): string => `import assert from "node:assert/strict"
import { test } from "node:test"
import { startService } from "bifold/testing"
import shop from "./service.ts"

test("pages are for anyone", async () => {
  await using service = await startService(shop)
  assert.equal((await service.anyone.rest("GET", "/pages")).status, ${status})
})
`

test("tests lie anywhere, are found, and say by the exit code whether they passed", async () => {
  writeFileSync(join(cwd, "service.ts"), source)
  writeFileSync(join(cwd, "good.test.ts"), tests(200))
  const named = await bifold(["test", "good.test.ts"], { cwd })
  assert.equal(named.code, 0, named.stdout + named.stderr)
  assert.match(named.stdout, /pass 1\n/)
  writeFileSync(join(cwd, "bad.test.ts"), tests(201))
  const all = await bifold(["test"], { cwd })
  assert.equal(all.code, 1)
  assert.match(all.stdout, /pass 1\n/)
  assert.match(all.stdout, /fail 1\n/)
})
