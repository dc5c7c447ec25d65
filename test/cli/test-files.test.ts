// `bifold test`, as a process: tests that lie where there is no package, and what it ends with.
import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold, bifoldProcess } from "./run.ts"

const cwd = join(await temporaryFolder(cleanUp(after)), "a shop")
mkdirSync(cwd)

const source = `import { anyone, resource, service } from "bifold"
import { title } from "./title.ts"
export default service({
  name: "shop",
  resources: { page: resource({ fields: { title }, allow: { read: anyone } }) },
})
`
const imported = `import { f } from "bifold"
export const title = f.text()
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
  writeFileSync(join(cwd, "title.ts"), imported)
  writeFileSync(join(cwd, "good.test.ts"), tests(200))
  const named = await bifoldProcess(["test", "good.test.ts"], { cwd })
  assert.equal(named.code, 0, named.stdout + named.stderr)
  assert.match(named.stdout, /pass 1\n/)
  writeFileSync(join(cwd, "bad.test.ts"), tests(201))
  const all = await bifoldProcess(["test"], { cwd })
  assert.equal(all.code, 1)
  assert.match(all.stdout, /pass 1\n/)
  assert.match(all.stdout, /fail 1\n/)
})

for (const type of ["commonjs", "module", undefined])
  test(`files are read where package.json says ${type ?? "nothing"} of modules, without a warning`, async () => {
    const here = join(cwd, type ?? "none")
    mkdirSync(here)
    writeFileSync(join(here, "package.json"), JSON.stringify({ name: "shop", type }))
    writeFileSync(join(here, "service.ts"), source)
    writeFileSync(join(here, "title.ts"), imported)
    writeFileSync(join(here, "good.test.ts"), tests(200))
    const checked = await bifold(["check"], { cwd: here })
    assert.deepEqual(checked, {
      code: 0,
      stdout: "✓ service.ts: 1 resource, 1 field, 0 relations, no mistakes.\n",
      stderr: "",
    })
    const made = await bifold(["migrate", "apply", "service.ts", "--database", "shop.db"], { cwd: here })
    assert.equal(made.code, 0, made.stderr)
    const written = await bifold(["introspect", "shop.db", "--out", "again.ts"], { cwd: here })
    assert.equal(written.code, 0, written.stderr)
    assert.equal((await bifold(["check", "again.ts"], { cwd: here })).code, 0)
    const tested = await bifoldProcess(["test", "good.test.ts"], { cwd: here })
    assert.equal(tested.code, 0, tested.stdout + tested.stderr)
    assert.match(tested.stdout, /pass 1\n/)
    assert.doesNotMatch(tested.stdout + tested.stderr, /warning/i)
  })

test("user code is tried on both databases by one option, and a warning says where it is not", async () => {
  const folder = await temporaryFolder(cleanUp(after))
  writeFileSync(
    join(folder, "code.test.ts"),
    `import { test } from "node:test"
import { anyone, f, operation, resource, service, withCode } from "bifold"
import { startService } from "bifold/testing"
const plain = service({ name: "coded", resources: { note: resource({ id: "not", fields: { text: f.text() }, allow: { read: anyone, create: anyone } }) } })
const coded = withCode(plain, { operations: { add: operation({ allow: anyone, deadline: 60_000, run: async ({ db }) => void (await db.note.create({ text: "x" })) }) } })
test("adds", async () => {
  await using opened = await startService(coded)
  const { status } = await opened.anyone.rest("POST", "/actions/add")
  if (status !== 204) throw new Error(String(status))
})
`,
  )
  const alone = await bifoldProcess(["test", "code.test.ts"], { cwd: folder })
  assert.equal(alone.code, 0, alone.stdout + alone.stderr)
  assert.match(alone.stdout + alone.stderr, /The user code of coded is tried on SQLite only/)
  const server = process.env["BIFOLD_TEST_POSTGRES"] ?? ""
  const both = await bifoldProcess(["test", "--postgres", server, "code.test.ts"], { cwd: folder })
  assert.equal(both.code, 0, both.stdout + both.stderr)
  assert.equal((both.stdout.match(/pass 1\n/g) ?? []).length, 2)
  assert.doesNotMatch(both.stdout + both.stderr, /is tried on SQLite only/)
  const away = await bifoldProcess(
    ["test", "--postgres", "postgres://nobody@127.0.0.1:1/none", "code.test.ts"],
    {
      cwd: folder,
    },
  )
  assert.notEqual(away.code, 0)
})
