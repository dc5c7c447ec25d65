// An application that is bundled whole, Bifold with it: served on PostgreSQL; on SQLite, whose threads are files, it says what to do.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import { rolldown } from "rolldown"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"

const bifold = join(import.meta.dirname, "../../src/index.ts")
const application = `
import { anyone, createService, f, resource, service } from ${JSON.stringify(bifold)}
const task = resource({ fields: { title: f.text() }, allow: { read: anyone, create: anyone } })
const tasks = createService(service({ name: "tasks", resources: { task } }), {
  database: process.env.DATABASE, dev: true, secret: "0123456789abcdef", observe() {}, acceptDataLoss: true,
})
await tasks.ready()
const send = async (path, body) => {
  const headers = { "content-type": "application/json" }
  return (await tasks.fetch(new Request("http://localhost" + path, { method: "POST", headers, body: JSON.stringify(body) }))).json()
}
await send("/tasks", { title: "Bundle" })
console.log(JSON.stringify(await send("/graphql", { query: "{ tasks { nodes { title } } }" })))
await tasks.close()
`

describe("an application bundled whole", () => {
  const hooks = cleanUp(after)
  let folder: string
  before(async () => {
    folder = await temporaryFolder(hooks)
    writeFileSync(join(folder, "app.ts"), application)
    const optional = /^@(nats-io|opentelemetry)\//
    const bundle = await rolldown({
      input: join(folder, "app.ts"),
      platform: "node",
      external: optional,
      onLog() {},
    })
    await bundle.write({ dir: join(folder, "out"), format: "esm" })
    await bundle.close()
  })

  const run = (database: string): Promise<{ failed: boolean; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env["PATH"], DATABASE: database }
      execFile(
        process.execPath,
        [join(folder, "out/app.js")],
        { env, cwd: folder },
        (error, stdout, stderr) => resolve({ failed: error !== null, stdout, stderr }),
      )
    })

  it("serves PostgreSQL by both faces", async () => {
    const { stdout, stderr } = await run(await temporaryPostgres(hooks))
    assert.match(stdout, /^\{"data":\{"tasks":\{"nodes":\[\{"title":"Bundle"\}\]\}\}\}$/m, stderr)
  })

  it("says on SQLite that Bifold is to be left out", async () => {
    const { failed, stderr } = await run("tasks.db")
    assert.ok(failed)
    assert.match(stderr, /^Error: Bifold's file \S+ is not where .* leave the package out/m)
  })
})
