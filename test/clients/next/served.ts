// examples/embedded/next-route.ts in Next.js itself, built and served as it is deployed.
import assert from "node:assert/strict"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { promisify } from "node:util"
import { installBuilt } from "../../support/built-package.ts"
import { temporaryFolder } from "../../support/database.ts"
import { useTasks } from "../../support/embedded-tasks.ts"
import { freePort } from "../../support/free-port.ts"
import { generatedFolder } from "../../support/openapi-tools.ts"

const next = join(import.meta.dirname, "node_modules/next/dist/bin/next")
const examples = join(import.meta.dirname, "../../../examples/embedded")

/** Sessions for another process than that of the test: the cookie says whose they are. */
const sessions = `
export const sessionOf = (cookie) => {
  const session = /session=([^;]+)/.exec(cookie ?? "")?.[1]
  return session === undefined ? null : session === "staff" ? { roles: ["staff"] } : { viewer: session }
}
`

/** As docs/guide/embedding.md says; types are compiled with those of the other hosts. */
const config = `
export default { serverExternalPackages: ["bifold"], typescript: { ignoreBuildErrors: true } }
`

/** A project with the example as its one route. */
async function makeProject(): Promise<string> {
  const project = await generatedFolder("next")
  const route = join(project, "app/api/[...path]")
  await installBuilt(project)
  await mkdir(route, { recursive: true })
  await Promise.all([
    copyFile(join(examples, "next-route.ts"), join(route, "route.ts")),
    copyFile(join(examples, "service.ts"), join(route, "service.ts")),
    writeFile(join(route, "sessions.ts"), sessions),
    writeFile(join(project, "app/layout.js"), "export default ({ children }) => children\n"),
    writeFile(join(project, "next.config.mjs"), config),
    writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" })),
  ])
  return project
}

function environment(database: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...own } = process.env
  return { ...own, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", TASKS_DATABASE: database }
}

interface Served {
  readonly url: string
  readonly child: ChildProcess
}

async function serve(t: TestContext): Promise<Served> {
  const cwd = await makeProject()
  const env = environment(join(await temporaryFolder(t), "tasks.db"))
  await promisify(execFile)(process.execPath, [next, "build"], { cwd, env }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => assert.fail(`${stdout}${stderr}`),
  )
  const port = await freePort()
  const args = [next, "start", "--port", String(port), "--hostname", "127.0.0.1"]
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] })
  t.after(() => void child.kill("SIGKILL"))
  let said = ""
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk
    if (said.includes("Ready")) break
  }
  child.stdout.resume()
  return { url: `http://127.0.0.1:${port}`, child }
}

test("a route handler, built and served: both faces, a subscription, and a stream that does not hold the end", async (t) => {
  const { url, child } = await serve(t)
  let ada = ""
  await useTasks(
    (path, init) => fetch(`${url}${path}`, init),
    (person) => {
      ada = person
      return person
    },
  )
  const live = await fetch(`${url}/api/events/stream`, { headers: { cookie: `session=${ada}` } })
  assert.equal(live.status, 200)
  const rest = live.text()
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  assert.match(await rest, /^id: /m)
  const [code, signal] = await exited
  assert.ok(code === 0 || code === 143, `${code} ${signal}`)
})
