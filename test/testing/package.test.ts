// `bifold/testing` as somebody has it who installed the package: built, in a folder of their own, with its types.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import { fileURLToPath } from "node:url"
import { installBuilt } from "../support/built-package.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const modules = join(root, "node_modules")
const hooks = cleanUp(after)
const folder = await temporaryFolder(hooks)

interface Ran {
  readonly code: number
  readonly output: string
}

function run(...parameters: readonly string[]): Promise<Ran> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  return new Promise((resolve) =>
    execFile(process.execPath, parameters, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    ),
  )
}
const tsc = (...parameters: readonly string[]): Promise<Ran> =>
  run(join(modules, "typescript/bin/tsc"), "--pretty", "false", ...parameters)

async function install(): Promise<void> {
  await installBuilt(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
  const compilerOptions = {
    target: "esnext",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    types: ["node"],
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
}

const declaration = `import { f, many, one, resource, role, service, viewer } from "bifold"

export default service({
  name: "notes",
  roles: ["editor"],
  viewer: "author",
  resources: {
    author: resource({
      id: "aut",
      fields: { name: f.text() },
      relations: { notes: many("note", { by: "author" }) },
      allow: { read: role("editor") },
    }),
    note: resource({
      id: "note",
      fields: { text: f.text(), madeAt: f.timestamp({ readonly: true, default: "now" }) },
      relations: { author: one("author") },
      allow: { read: [role("editor"), { author: { id: { eq: viewer.id } } }] },
    }),
  },
})
`

const itsTest = `import assert from "node:assert/strict"
import { test } from "node:test"
import { type RestAnswer, startService } from "bifold/testing"
import notes from "./service.ts"

test("everybody reads their own notes", async () => {
  await using shop = await startService(notes, {
    now: "2026-11-21T12:00:00Z",
    records: {
      author: [{ id: "aut_ann", name: "Ann" }],
      note: [{ id: "note_1", text: "Mine", authorId: "aut_ann" }],
    },
  })
  const ann = shop.as("author:aut_ann")
  const answer: RestAnswer<{ madeAt: string }> = await ann.rest("GET", "/notes/note_1")
  assert.equal(answer.body.madeAt, "2026-11-21T12:00:00Z")
  const { data } = await ann.graphql<{ notes: { totalCount: number } }>("{ notes { totalCount } }")
  assert.equal(data?.notes.totalCount, 1)
  assert.equal((await shop.anyone.rest("GET", "/notes/note_1")).status, 401)
  const { note = [] } = await shop.add({ note: [{ text: "Second", authorId: "aut_ann" }] })
  assert.equal(note.length, 1)
})
`

describe("the package", () => {
  before(async () => {
    await install()
    writeFileSync(join(folder, "service.ts"), declaration)
    writeFileSync(join(folder, "service.test.ts"), itsTest)
  })

  test("has a testing kit that runs in somebody's tests", async () => {
    const { code, output } = await run("--test", "service.test.ts")
    assert.equal(code, 0, output)
    assert.match(output, /pass 1\b/)
  })

  test("has a command that reads service files where `npm init` was, and runs their tests", async () => {
    const bifold = (...given: readonly string[]): Promise<Ran> =>
      run(join("node_modules", "bifold", "dist", "cli", "main.js"), ...given)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "commonjs", private: true }))
    const checked = await bifold("check", "service.ts")
    const tested = await bifold("test", "service.test.ts")
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
    assert.deepEqual(checked, {
      code: 0,
      output: "✓ service.ts: 2 resources, 3 fields, 2 relations, no mistakes.\n",
    })
    assert.equal(tested.code, 0, tested.output)
    assert.match(tested.output, /pass 1\b/)
  })

  test("fails somebody's test when a rule is gone", async () => {
    const wide = declaration.replace("{ author: { id: { eq: viewer.id } } }", "{ text: { eq: 'Mine' } }")
    assert.notEqual(wide, declaration)
    writeFileSync(join(folder, "service.ts"), wide)
    const { code, output } = await run("--test", "service.test.ts")
    writeFileSync(join(folder, "service.ts"), declaration)
    assert.equal(code, 1, output)
    assert.match(output, /200 !== 401/)
  })

  test("has types, which know the names of resources, members and roles", async () => {
    assert.deepEqual(await tsc("-p", folder), { code: 0, output: "" })
    const wrong = `import { startService } from "bifold/testing"
import notes from "./service.ts"
const shop = await startService(notes, { records: { nots: [] } })
await shop.add({ autor: [] })
shop.as({ role: "editor" })
shop.clock.advance({ weeks: 1 })
const status: string = (await shop.anyone.rest("GET", "/")).status
await shop.add({ author: [{ nam: "Ann" }] })
shop.as("role:editr")
shop.as("role:editr+author:aut_1")
shop.as({ roles: ["editr"] })
shop.as("writer:wri_1")
shop.as("scope:notes")
for (const who of ["role:editor", "author:aut_1+role:editor", "signedIn", "author:" + status] as const) shop.as(who)
shop.as({ viewer: "aut_1", roles: ["editor"] })
await shop.add({ note: [{ id: "note_1", text: "a", authorId: "aut_1", author: {} }], author: [{ notes: {} }] })
await shop.close()
`
    writeFileSync(join(folder, "wrong.ts"), wrong)
    const { output } = await tsc("-p", folder)
    const lines = [...output.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line))
    assert.deepEqual([...new Set(lines)], [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], output)
  })
})
