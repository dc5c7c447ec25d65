// examples/embedded/vite-plugin.ts in Vite itself: an edited service is served by the next request.
import assert from "node:assert/strict"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { after, test } from "node:test"
import { createServer as createVite } from "vite"
import { api } from "../../examples/embedded/vite-plugin.ts"
import { until } from "../cli/processes.ts"
import { installBuilt } from "../support/built-package.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"

const service = join(import.meta.dirname, "../../examples/embedded/service.ts")

test("Vite serves an edited service", async () => {
  const hooks = cleanUp(after)
  const root = await temporaryFolder(hooks)
  await installBuilt(root)
  const declared = await readFile(service, "utf8")
  const write = (text: string): Promise<void> => writeFile(join(root, "service.ts"), text)
  await write(declared)
  await writeFile(
    join(root, "api.ts"),
    `import { createService } from "bifold"
import tasks from "./service.ts"
export const service = createService(tasks, {
  database: ${JSON.stringify(join(root, "tasks.db"))},
  dev: true,
  base: "/api",
  identify: () => ({ roles: ["staff"] }),
  observe: () => {},
})
`,
  )
  const port = await freePort()
  const vite = await createVite({
    root,
    configFile: false,
    logLevel: "silent",
    appType: "custom",
    plugins: [api],
    server: { host: "127.0.0.1", port, strictPort: true, hmr: false },
  })
  hooks.after(() => vite.close())
  await vite.listen()
  const url = `http://127.0.0.1:${port}`
  const ask = (query: string): Promise<Response> => fetch(`${url}/api/people?${query}`)
  const made = await fetch(`${url}/api/people`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada" }),
  })
  assert.equal(made.status, 201, await made.clone().text())
  assert.equal((await ask("fields=nickname")).status, 400)
  // Vite drops a change that comes shortly after another one.
  const serves = (text: string, query: string, status: number): Promise<void> =>
    until(async () => {
      await write(text)
      return (await ask(query)).status === status
    }, `${query} is ${status}`)
  const wider = declared.replace(
    "f.text({ max: 100 })",
    "f.text({ max: 100 }), nickname: f.text({ optional: true })",
  )
  await serves(wider, "fields=nickname", 200)
  await serves(declared.replace('one("person")', 'one("persons")'), "fields=name", 503)
  await serves(declared, "fields=name", 200)
})
