// A SQLite file that is removed or replaced while it is served: nothing is acknowledged that is not in the file that people
// see, and the service says so until the file is back.
import assert from "node:assert/strict"
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { bifold, type Serving, serving } from "../cli/run.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"

const hooks = cleanUp(after)
const service = `import { anyone, f, resource, service, withCode } from "bifold"
const shop = service({
  name: "shop",
  resources: { item: resource({ id: "ite", fields: { name: f.text() }, allow: { read: anyone, create: anyone } }) },
})
export default withCode(shop, { before: { item: { create: ({ new: { name } }) => ({ name: name.trim() }) } } })
`

interface Open {
  readonly server: Serving
  readonly path: string
  create(name: string): Promise<number>
  status(path: string): Promise<number>
}

async function open(hooked: boolean): Promise<Open> {
  const cwd = join(await temporaryFolder(hooks), "data")
  mkdirSync(cwd)
  const path = join(cwd, "shop.db")
  const elsewhere = await temporaryFolder(hooks)
  const file = join(elsewhere, "service.ts")
  writeFileSync(file, hooked ? service : service.replace(/export default .*/, "export default shop"))
  const applied = await bifold(["migrate", "apply", file, "--database", path], { cwd: elsewhere })
  assert.equal(applied.code, 0, applied.stderr)
  const server = await serving([file, "--database", path], { cwd: elsewhere })
  hooks.after(async () => void (await server.end()))
  return {
    server,
    path,
    async create(name) {
      const response = await fetch(`${server.url}/items`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name }),
      })
      await response.arrayBuffer()
      return response.status
    },
    async status(at) {
      const response = await fetch(server.url + at)
      await response.arrayBuffer()
      return response.status
    },
  }
}

const namesIn = (path: string): readonly string[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare("SELECT name FROM item").all()
    return rows.map(({ name }) => String(name))
  } finally {
    database.close()
  }
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await holds()) return
    await sleep(50)
  }
  assert.fail(what)
}

interface Mishap {
  readonly what: string
  readonly happens: (path: string) => void
  /** Puts the same files back, where that can be done. */
  readonly mends?: (path: string) => void
}

const all = (path: string): readonly string[] => [path, `${path}-wal`, `${path}-shm`]
const mishaps: readonly Mishap[] = [
  { what: "removed", happens: (path) => rmSync(path) },
  {
    what: "removed with its log",
    happens: (path) => {
      for (const one of all(path)) rmSync(one, { force: true })
    },
  },
  {
    what: "renamed",
    happens: (path) => renameSync(path, `${path}.away`),
    mends: (path) => renameSync(`${path}.away`, path),
  },
  {
    what: "replaced by a copy",
    happens: (path) => {
      copyFileSync(path, `${path}.copy`)
      renameSync(path, `${path}.away`)
      renameSync(`${path}.copy`, path)
    },
    mends: (path) => renameSync(`${path}.away`, path),
  },
  { what: "left without its log", happens: (path) => rmSync(`${path}-wal`) },
  {
    what: "moved with its folder",
    happens: (path) => renameSync(dirname(path), `${dirname(path)}.away`),
    mends: (path) => renameSync(`${dirname(path)}.away`, dirname(path)),
  },
]

for (const hooked of [false, true])
  describe(`a SQLite file that is served${hooked ? " with hooks" : ""}`, () => {
    for (const { what, happens, mends } of mishaps)
      it(`takes no write when it is ${what}`, async () => {
        const { server, path, create, status } = await open(hooked)
        assert.equal(await create("before"), 201)
        assert.equal(await status("/health"), 200)
        happens(path)
        // The first may find its name in place until it is committed; none is acknowledged.
        for (let time = 0; time < 5; time += 1) assert.equal(await create(`lost ${time}`), 503)
        await until(async () => (await status("/items")) === 503, "reads are refused")
        assert.equal(await status("/health"), 503)
        assert.equal(await create("lost"), 503)
        if (mends) {
          mends(path)
          await until(async () => (await create("after")) === 201, "writes go on")
          await until(async () => (await status("/items")) === 200, "reads go on")
          assert.equal(await status("/health"), 200)
          const names = namesIn(path)
          assert.ok(names.includes("before") && names.includes("after"), names.join())
        }
        const { stderr } = await server.end("SIGTERM")
        assert.match(stderr, /removed or replaced since it was opened/)
      })
  })
