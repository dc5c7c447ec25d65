// Each host of examples/embedded on a port of its own, asked as a client asks it: both faces, a subscription, a session.
import assert from "node:assert/strict"
import { once } from "node:events"
import { registerHooks } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { sessions } from "../../../examples/embedded/sessions.ts"
import type { Started } from "../../../examples/embedded/started.ts"
import { temporaryFolder } from "../../support/database.ts"
import { useTasks } from "../../support/embedded-tasks.ts"

// The examples are in another folder than the packages that they import.
registerHooks({
  resolve: (specifier, context, next) =>
    /^(express|fastify|hono|@hono\/node-server)(\/|$)/.test(specifier) &&
    context.parentURL?.includes("/examples/embedded/") === true
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
})

type Start = (database: string, port: number) => Promise<Started>

interface Host {
  readonly url: string
  /** Resolves when nothing is connected any more. */
  readonly end: () => Promise<void>
}

async function startHost(t: TestContext, name: string): Promise<Host> {
  const folder = await temporaryFolder(t)
  const { start } = (await import(`../../../examples/embedded/${name}.ts`)) as { readonly start: Start }
  const { server, close } = await start(join(folder, "tasks.db"), 0)
  if (!server.listening) await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const closed = once(server, "close")
  let asked = false
  const end = async (): Promise<void> => {
    if (!asked) close()
    asked = true
    await closed
  }
  t.after(async () => {
    server.closeAllConnections()
    await end()
  })
  return { url, end }
}

/** Sessions of this process. */
function openSession(viewer: string): string {
  sessions.set("ada", { viewer })
  return "ada"
}

async function useHost(t: TestContext, name: string): Promise<void> {
  const { url, end } = await startHost(t, name)
  assert.equal(await (await fetch(`${url}/`)).text(), "Hello")
  await useTasks((path, init) => fetch(`${url}${path}`, init), openSession)
  // A stream does not hold a host that ends, and is ended whole.
  const live = await fetch(`${url}/api/events/stream`, { headers: { cookie: "session=ada" } })
  assert.equal(live.status, 200)
  const rest = live.text()
  await end()
  assert.match(await rest, /^id: /m)
}

test("Fastify", (t) => useHost(t, "fastify"))
test("Express, behind express.json()", (t) => useHost(t, "express"))
test("Hono", (t) => useHost(t, "hono"))
test("node:http", (t) => useHost(t, "node-http"))

test("a route handler of Next.js, called as Next calls it", async (t) => {
  process.env["TASKS_DATABASE"] = join(await temporaryFolder(t), "tasks.db")
  const path = "../../../examples/embedded/next-route.ts"
  const route: Readonly<Record<string, (request: Request, context: unknown) => Promise<Response>>> =
    await import(path)
  await useTasks((address, init = {}) => {
    const handler = route[init.method ?? "GET"]
    assert.ok(handler)
    return handler(new Request(`http://localhost${address}`, init), { params: Promise.resolve({ path: [] }) })
  }, openSession)
})
